// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/database.h"

#include "core/base/assert.h"
#include "core/base/text.h"
#include "core/base/value_kind.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <SQLiteCpp/SQLiteCpp.h>
#include <unordered_map>

namespace firstbad::core {

struct Database::State {
    std::filesystem::path path;
    std::unique_ptr<SQLite::Database> connection;
    mutable std::unordered_map<std::string, std::unique_ptr<SQLite::Statement>> statements;

    SQLite::Statement& prepared(const std::string& sql) const
    {
        auto& slot = statements[sql];
        if (!slot) {
            try {
                slot = std::make_unique<SQLite::Statement>(*connection, sql);
            } catch (...) {
                statements.erase(sql);
                throw;
            }
        }
        return *slot;
    }
};

namespace {

constexpr int kBusyTimeoutMs = 10'000;

struct Advice {
    ErrorCode code = ErrorCode::Unreadable;
    const char* what = "";
    const char* hint = "";
};

Advice adviceFor(int sqliteCode) noexcept
{
    switch (sqliteCode & 0xFF) {
    case SQLITE_FULL:
        return {ErrorCode::Unreadable, "the disk is full",
            "Free some space and repeat the command; nothing that was acknowledged is lost."};
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return {ErrorCode::Unreadable, "it may not be written",
            "Check the permissions of the case folder and whether the disk is mounted read-only."};
    case SQLITE_CANTOPEN:
        return {ErrorCode::Unreadable, "it can not be opened",
            "Check that the file exists and its permissions."};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {ErrorCode::Unreadable, "another process is using it", "Try again when it is done."};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return {ErrorCode::Malformed, "it is damaged or no case",
            "Restore case.db from a copy; the segments in series/ are untouched."};
    case SQLITE_IOERR:
        return {ErrorCode::Unreadable, "reading or writing it failed",
            "Check the disk (full, failing, or a network mount that vanished)."};
    case SQLITE_NOMEM:
        return {ErrorCode::OutOfMemory, "there is not enough memory", "Free some memory."};
    case SQLITE_CONSTRAINT:
        return {ErrorCode::InvalidArgument, "append-only rows may not be changed",
            "Append a new record instead."};
    default:
        return {ErrorCode::Malformed, "it does not hold what a case holds",
            "Run `firstbad doctor` in the case."};
    }
}

tl::unexpected<Error> sqliteError(const std::filesystem::path& path, int code, const char* detail)
{
    const Advice advice = adviceFor(code);
    return fail(advice.code,
        fmt::format("{}: {} ({}).", escapedForTerminal(path.string()), advice.what,
            escapedForTerminal(detail)),
        advice.hint, Where{path.string(), {}, {}});
}

/// Runs `body`; whatever it throws becomes an Error on `path`.
template <class Body>
auto guarded(const std::filesystem::path& path, Body&& body) -> decltype(body())
{
    try {
        return body();
    } catch (const SQLite::Exception& failure) {
        return sqliteError(path, failure.getErrorCode(), failure.what());
    } catch (const std::bad_alloc&) {
        return sqliteError(path, SQLITE_NOMEM, "out of memory");
    }
}

void bindCell(SQLite::Statement& statement, int index, const Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
        statement.bind(index, *integer);
    } else if (const auto* real = std::get_if<double>(&cell)) {
        FB_ASSERT(isFinite(*real));
        statement.bind(index, *real);
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
        statement.bind(index, *text);
    } else {
        statement.bind(index);
    }
}

Cell readCell(SQLite::Statement& statement, int index)
{
    const SQLite::Column column = statement.getColumn(index);
    switch (column.getType()) {
    case SQLITE_INTEGER:
        return static_cast<std::int64_t>(column.getInt64());
    case SQLITE_FLOAT:
        return column.getDouble();
    case SQLITE_TEXT:
    case SQLITE_BLOB:
        return column.getString();
    default:
        return {};
    }
}

/// Leaves the statement ready for its next use, whichever way the scope is left.
class Use
{
public:
    Use(SQLite::Statement& statement, const Row& bound)
        : m_statement(statement)
    {
        int index = 0;
        for (const Cell& cell : bound)
            bindCell(m_statement, ++index, cell);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() { m_statement.tryReset(); }

private:
    SQLite::Statement& m_statement;
};

/// Read-only media can not hold the files that WAL needs; without a journal left the database file
/// is complete by itself.
std::string immutableUri(const std::filesystem::path& path)
{
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(path).string()) {
        if (c == '?' || c == '#' || c == '%')
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        else
            uri += c;
    }
    return uri + "?immutable=1";
}

std::unique_ptr<SQLite::Database> connect(const std::filesystem::path& path, DatabaseMode mode)
{
    if (mode != DatabaseMode::Read) {
        const int flags
            = SQLite::OPEN_READWRITE | (mode == DatabaseMode::Create ? SQLite::OPEN_CREATE : 0);
        return std::make_unique<SQLite::Database>(path.string(), flags, kBusyTimeoutMs);
    }
    try {
        auto connection = std::make_unique<SQLite::Database>(
            path.string(), SQLite::OPEN_READONLY, kBusyTimeoutMs);
        connection->execAndGet("SELECT count(*) FROM sqlite_master");
        return connection;
    } catch (const SQLite::Exception& failure) {
        const int code = failure.getErrorCode() & 0xFF;
        std::error_code ignored;
        const bool hasJournal = std::filesystem::exists(path.string() + "-wal", ignored);
        if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || hasJournal)
            throw;
        return std::make_unique<SQLite::Database>(
            immutableUri(path), SQLite::OPEN_READONLY | SQLite::OPEN_URI, kBusyTimeoutMs);
    }
}

}  // namespace

Database::Database(std::unique_ptr<State> state)
    : m_state(std::move(state))
{ }
Database::Database(Database&& other) noexcept = default;
Database& Database::operator=(Database&& other) noexcept = default;

Database::~Database()
{
    if (m_state)
        m_state->statements.clear();
}

Result<Database> Database::open(const std::filesystem::path& path, DatabaseMode mode)
{
    return guarded(path, [&]() -> Result<Database> {
        auto state = std::make_unique<State>();
        state->path = path;
        state->connection = connect(path, mode);
        // A crafted schema must not run functions or follow views into anything.
        state->connection->exec("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;"
                                "PRAGMA foreign_keys=OFF;");
        return Database(std::move(state));
    });
}

Result<void> Database::execute(const std::string& sql)
{
    return guarded(m_state->path, [&]() -> Result<void> {
        m_state->connection->exec(sql);
        return {};
    });
}

Result<void> Database::run(const std::string& sql, const Row& bound)
{
    return forEach(sql, bound, [](const Row&) { return true; });
}

Result<void> Database::forEach(
    const std::string& sql, const Row& bound, const std::function<bool(const Row&)>& visit) const
{
    return guarded(m_state->path, [&]() -> Result<void> {
        SQLite::Statement& statement = m_state->prepared(sql);
        const Use use(statement, bound);
        const int columns = statement.getColumnCount();
        Row row;
        while (statement.executeStep()) {
            row.clear();
            for (int i = 0; i < columns; ++i)
                row.push_back(readCell(statement, i));
            if (!visit(row))
                break;
        }
        return {};
    });
}

Result<std::vector<Row>> Database::query(const std::string& sql, const Row& bound) const
{
    std::vector<Row> rows;
    auto done = forEach(sql, bound, [&](const Row& row) {
        rows.push_back(row);
        return true;
    });
    if (!done)
        return tl::unexpected(done.error());
    return rows;
}

Result<std::int64_t> Database::integer(const std::string& sql, const Row& bound) const
{
    auto rows = query(sql, bound);
    if (!rows)
        return tl::unexpected(rows.error());
    return rows->empty() || rows->front().empty() ? 0 : integerOf(rows->front().front());
}

const std::filesystem::path& Database::path() const noexcept
{
    return m_state->path;
}

Result<Transaction> Transaction::begin(Database& database, bool write)
{
    auto begun = database.execute(write ? "BEGIN IMMEDIATE" : "BEGIN");
    if (!begun)
        return tl::unexpected(begun.error());
    return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : m_database(std::exchange(other.m_database, nullptr))
{ }

Transaction::~Transaction()
{
    if (m_database)
        static_cast<void>(m_database->execute("ROLLBACK"));
}

Result<void> Transaction::commit()
{
    auto done = m_database->execute("COMMIT");
    if (done)
        m_database = nullptr;
    return done;
}

std::int64_t integerOf(const Cell& cell) noexcept
{
    const auto* integer = std::get_if<std::int64_t>(&cell);
    return integer ? *integer : 0;
}

double realOf(const Cell& cell) noexcept
{
    if (const auto* real = std::get_if<double>(&cell))
        return *real;
    return static_cast<double>(integerOf(cell));
}

std::string textOf(const Cell& cell)
{
    const auto* text = std::get_if<std::string>(&cell);
    return text ? *text : std::string();
}

bool isNull(const Cell& cell) noexcept
{
    return std::holds_alternative<std::monostate>(cell);
}

std::optional<std::int64_t> optionalOf(const Cell& cell) noexcept
{
    return isNull(cell) ? std::nullopt : std::optional(integerOf(cell));
}

}  // namespace firstbad::core
