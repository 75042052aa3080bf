// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/mlflow_importer.h"

#include "core/base/text.h"
#include "core/import/binary/mlflow_rows.h"

#include <fmt/format.h>
#include <limits>
#include <map>
#include <sqlite3.h>
#include <SQLiteCpp/SQLiteCpp.h>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "mlflow-sqlite";
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr int kMaxValueBytes = 1 << 20;  // of one cell: ours are names and numbers
constexpr int kStepsBetweenChecks = 10000;

/// The path as a URI that SQLite opens without locks and without files beside it.
std::string immutableUri(const fs::path& path)
{
    std::string uri = "file:";
    for (const char c : fs::absolute(path).string()) {
        const bool plain
            = isAsciiAlpha(c) || isAsciiDigit(c) || c == '/' || c == '.' || c == '-' || c == '_';
        uri += plain ? std::string(1, c)
                     : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
    return uri + "?immutable=1";
}

int askCancelled(void* job)
{
    return static_cast<JobContext*>(job)->cancelled() ? 1 : 0;
}

/// Trusts nothing in the file: no functions or triggers of its schema, small values, cancellable.
void harden(sqlite3* handle, JobContext& job)
{
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
    sqlite3_progress_handler(handle, kStepsBetweenChecks, askCancelled, &job);
}

bool hasTable(SQLite::Database& database, const char* name)
{
    SQLite::Statement query(database,
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1 AND sql LIKE 'CREATE "
        "TABLE%'");
    query.bind(1, name);
    return query.executeStep();
}

class MlflowDatabase
{
public:
    explicit MlflowDatabase(SQLite::Database& database)
        : m_database(database)
    { }

    /// Rows that were read before an exception stay.
    void read()
    {
        readRuns();
        readMetrics();
    }

    std::map<std::string, MlflowRun>& runs() noexcept { return m_runs; }

private:
    void readRuns()
    {
        SQLite::Statement query(m_database, "SELECT run_uuid, name, status, end_time FROM runs");
        while (query.executeStep()) {
            MlflowRun& run = runOf(query.getColumn(0).getString());
            run.name = query.getColumn(1).getString();
            run.status = query.getColumn(2).getString();
            if (query.getColumn(3).isInteger())
                run.endMilliseconds = query.getColumn(3).getInt64();
        }
    }

    void readMetrics()
    {
        SQLite::Statement query(
            m_database, "SELECT run_uuid, key, value, timestamp, step, is_nan FROM metrics");
        while (query.executeStep()) {
            MlflowRun& run = runOf(query.getColumn(0).getString());
            const std::string key = query.getColumn(1).getString();
            MlflowRow row;
            row.metric = metricOf(run, key);
            row.milliseconds = query.getColumn(3).getInt64();
            row.step = query.getColumn(4).getInt64();
            row.value = valueOf(query.getColumn(2), query.getColumn(5).getInt() != 0);
            run.rows.push_back(row);
        }
    }

    /// MLflow can not store NaN (a flag says it) nor infinities (the largest doubles stand for
    /// them).
    static double valueOf(const SQLite::Column& value, bool isNan)
    {
        if (isNan || value.isNull())
            return std::numeric_limits<double>::quiet_NaN();
        const double number = value.getDouble();
        if (number >= kLargest)
            return std::numeric_limits<double>::infinity();
        return number <= -kLargest ? -std::numeric_limits<double>::infinity() : number;
    }

    MlflowRun& runOf(const std::string& id)
    {
        MlflowRun& run = m_runs[id];
        run.id = toValidUtf8(id);
        return run;
    }

    std::uint32_t metricOf(MlflowRun& run, const std::string& key)
    {
        auto& known = m_metrics[run.id];
        const auto [at, isNew]
            = known.try_emplace(key, static_cast<std::uint32_t>(run.metrics.size()));
        if (isNew)
            run.metrics.push_back(key);
        return at->second;
    }

    SQLite::Database& m_database;
    std::map<std::string, MlflowRun> m_runs;
    std::map<std::string, std::map<std::string, std::uint32_t>> m_metrics;  // by run, then key
};

SkippedPart corruptPart(const SQLite::Exception& failure)
{
    SkippedPart part;
    part.code = "corrupt-database";
    part.reason = fmt::format("The database is damaged; rows behind the damage are missing ({}).",
        toValidUtf8(failure.what()));
    return part;
}

std::optional<SkippedPart> pendingLog(const fs::path& path)
{
    for (const char* ending : {"-wal", "-journal"}) {
        std::error_code failed;
        const auto bytes = fs::file_size(path.string() + ending, failed);
        if (failed || bytes == 0)
            continue;
        SkippedPart part;
        part.code = "pending-log";
        part.reason = fmt::format("{} of changes in {} beside the database are not in it yet; a "
                                  "server may be writing.",
            humanBytes(bytes), escapedForTerminal(path.filename().string() + ending));
        part.mayBeGrowing = true;
        return part;
    }
    return std::nullopt;
}

std::vector<SourceData> sourcesFrom(
    MlflowDatabase& mlflow, const SourceInfo& info, const std::vector<SkippedPart>& skipped)
{
    std::vector<SourceData> sources;
    for (auto& [id, run] : mlflow.runs()) {
        SourceInfo own = info;
        own.path += '!' + run.id;
        if (sources.empty())
            run.skipped.insert(run.skipped.end(), skipped.begin(), skipped.end());
        sources.push_back(sourceFromRun(std::move(run), std::move(own)));
    }
    return sources;
}

Result<std::vector<SourceData>> readDatabase(
    const SourceRef& source, const SourceInfo& info, JobContext& job)
{
    std::vector<SkippedPart> skipped;
    if (auto pending = pendingLog(source.path))
        skipped.push_back(std::move(*pending));
    const std::string hint = "Copy the database again, or run sqlite3's .recover on a copy.";
    try {
        SQLite::Database database(
            immutableUri(source.path), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
        harden(database.getHandle(), job);
        if (!hasTable(database, "metrics") || !hasTable(database, "runs")) {
            return asList(unsupportedSource(info,
                fmt::format(
                    "{} is an SQLite database without the tables of MLflow.", shownName(source)),
                "Export the table you mean as CSV."));
        }
        MlflowDatabase mlflow(database);
        try {
            mlflow.read();
        } catch (const SQLite::Exception& failure) {
            if (job.cancelled())
                return JobContext::cancelledError();
            skipped.push_back(corruptPart(failure));
        }
        auto sources = sourcesFrom(mlflow, info, skipped);
        if (!sources.empty())
            return sources;
        if (skipped.empty())
            return asList(unsupportedSource(info,
                fmt::format("{} is an MLflow database without any run.", shownName(source)), ""));
        return asList(damagedSource(info, "corrupt-database",
            fmt::format("{}: {}", shownName(source), skipped.back().reason), hint));
    } catch (const SQLite::Exception& failure) {
        if (job.cancelled())
            return JobContext::cancelledError();
        return asList(damagedSource(info, "corrupt-database",
            fmt::format("{} can not be read as an SQLite database ({}).", shownName(source),
                toValidUtf8(failure.what())),
            hint));
    }
}

}  // namespace

int sniffMlflowSqlite(const SourceHead& head)
{
    if (!head.head.starts_with(kMagic.substr(0, std::min(kMagic.size(), head.head.size())))
        || head.head.size() < kMagic.size())
        return 0;
    return head.head.find("is_nan") != std::string_view::npos ? 95 : 50;
}

Result<std::vector<SourceData>> readMlflowSqlite(
    const SourceRef& source, const ImportOptions& options, JobContext& job)
{
    auto info = describeFile(source, kFormat, options, job);
    if (!info)
        return tl::unexpected(std::move(info.error()));
    return readDatabase(source, *info, job);
}

}  // namespace firstbad::core
