// SPDX-License-Identifier: GPL-3.0-or-later
// Hash chains: each row of an append-only table carries SHA-256 of itself and of the row before.
//
// A ChainWriter lives for one write transaction. Every commit row holds the heads of all tables, so
// rows cut off the end of one table are noticed as well. One thread; O(row).
#pragma once

#include "core/store/case_check.h"
#include "core/store/database.h"
#include "core/store/schema.h"

#include <map>
#include <string>
#include <string_view>

namespace firstbad::core {

/// The hash of one row: over table, row number, cells with their types, and the hash before it.
[[nodiscard]] std::string rowHash(
    std::string_view table, std::string_view previous, std::int64_t seq, const Row& cells);

class ChainWriter
{
public:
    explicit ChainWriter(Database& database)
        : m_database(database)
    { }

    /// Appends a row (cells as in TableSpec::columns); answers its seq.
    [[nodiscard]] Result<std::int64_t> append(std::string_view table, const Row& cells);
    /// The last row of a transaction: what was done and the heads of all tables.
    [[nodiscard]] Result<void> appendCommit(double time, std::string_view what);
    [[nodiscard]] std::uint64_t appended() const noexcept { return m_appended; }

private:
    struct Head {
        std::int64_t seq = 0;
        std::string hash;
        std::string insertSql;
    };
    [[nodiscard]] Result<Head*> head(std::string_view table);

    Database& m_database;
    std::uint64_t m_appended = 0;
    std::map<std::string, Head, std::less<>> m_heads;
};

/// Walks every chain; fills rows, broken and problems of `check`.
[[nodiscard]] Result<void> checkChains(const Database& database, CaseCheck& check);

}  // namespace firstbad::core
