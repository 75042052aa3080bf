// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of case.db, version 1: one list from which tables, triggers, chains and checks derive.
//
// Constant data; any thread. Every table begins with `seq` (1, 2, 3, ... without gaps) and ends
// with `hash`; triggers refuse UPDATE, DELETE and an existing key.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace firstbad::core {

inline constexpr std::int64_t kSchemaVersion = 1;
/// "FBad" in PRAGMA application_id: tells a case from any other SQLite file.
inline constexpr std::int64_t kApplicationId = 0x46426164;

struct TableSpec {
    std::string_view name;
    std::string_view columns;  ///< between seq and hash, "name TYPE, name TYPE"
    std::string_view key;  ///< columns that identify a row beside seq, comma-separated; or empty
};

[[nodiscard]] std::span<const TableSpec> tableSpecs() noexcept;

/// "a, b, c": the column names of a table, without seq and hash.
[[nodiscard]] std::string columnNames(const TableSpec& table);
[[nodiscard]] std::size_t columnCount(const TableSpec& table) noexcept;
/// CREATE TABLE and its triggers.
[[nodiscard]] std::string createSql(const TableSpec& table);
/// The same for a whole new case, with application id and version.
[[nodiscard]] std::string createCaseSql();

}  // namespace firstbad::core
