// SPDX-License-Identifier: GPL-3.0-or-later
// Database: the adapter to SQLite. Its exceptions end here and become sentences.
//
// Move-only owner of one connection; one thread at a time. Statements are prepared once and kept.
// A double handed over must be finite: class and bits go into columns of their own.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace firstbad::core {

using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;
using Row = std::vector<Cell>;

enum class DatabaseMode : std::uint8_t { Create, Write, Read };

class Database
{
public:
    [[nodiscard]] static Result<Database> open(
        const std::filesystem::path& path, DatabaseMode mode);

    Database(Database&& other) noexcept;
    Database& operator=(Database&& other) noexcept;
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    ~Database();

    /// One or several statements without results.
    [[nodiscard]] Result<void> execute(const std::string& sql);
    /// One statement with bound cells; its rows, if any, are dropped.
    [[nodiscard]] Result<void> run(const std::string& sql, const Row& bound);
    [[nodiscard]] Result<std::vector<Row>> query(
        const std::string& sql, const Row& bound = {}) const;
    /// Visits row by row; stops when the visitor returns false.
    [[nodiscard]] Result<void> forEach(const std::string& sql, const Row& bound,
        const std::function<bool(const Row&)>& visit) const;
    /// The single integer that `sql` answers; 0 when it answers nothing.
    [[nodiscard]] Result<std::int64_t> integer(const std::string& sql, const Row& bound = {}) const;

    [[nodiscard]] const std::filesystem::path& path() const noexcept;

private:
    struct State;
    explicit Database(std::unique_ptr<State> state);

    std::unique_ptr<State> m_state;
};

/// Rolled back unless committed.
class Transaction
{
public:
    /// `write`: takes the write lock at once; otherwise a stable view for reading.
    [[nodiscard]] static Result<Transaction> begin(Database& database, bool write);
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();

    [[nodiscard]] Result<void> commit();

private:
    explicit Transaction(Database& database)
        : m_database(&database)
    { }

    Database* m_database;  // not owned; null once over
};

[[nodiscard]] std::int64_t integerOf(const Cell& cell) noexcept;  ///< 0 unless an integer
[[nodiscard]] double realOf(const Cell& cell) noexcept;  ///< 0 unless a number
[[nodiscard]] std::string textOf(const Cell& cell);  ///< empty unless text
[[nodiscard]] bool isNull(const Cell& cell) noexcept;
[[nodiscard]] inline Cell cellOf(const std::optional<std::int64_t>& maybe)
{
    return maybe ? Cell(*maybe) : Cell();
}
[[nodiscard]] std::optional<std::int64_t> optionalOf(const Cell& cell) noexcept;

}  // namespace firstbad::core
