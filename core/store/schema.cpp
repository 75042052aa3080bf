// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

namespace firstbad::core {
namespace {

// `body` columns hold JSON. Columns *_class and *_bits hold what a REAL of SQLite can not.
constexpr std::array kTables{
    TableSpec{"case_info", "name TEXT NOT NULL, value TEXT NOT NULL", "name"},
    TableSpec{"commits", "time REAL NOT NULL, what TEXT NOT NULL, heads TEXT NOT NULL", ""},
    TableSpec{"sources",
        "number INTEGER NOT NULL, version INTEGER NOT NULL, location TEXT NOT NULL, path TEXT NOT "
        "NULL, change TEXT NOT NULL, state TEXT NOT NULL, format TEXT NOT NULL, bytes INTEGER NOT "
        "NULL, sha256 TEXT NOT NULL, records INTEGER NOT NULL, body TEXT NOT NULL",
        "number, version"},
    TableSpec{"artifacts",
        "kind TEXT NOT NULL, location TEXT NOT NULL, path TEXT NOT NULL, format TEXT NOT NULL, "
        "bytes INTEGER NOT NULL",
        ""},
    TableSpec{"files", "name TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL", "name"},
    TableSpec{"segments",
        "column_id INTEGER NOT NULL, part INTEGER NOT NULL, file TEXT NOT NULL, place TEXT NOT "
        "NULL, points INTEGER NOT NULL, missing INTEGER NOT NULL, fingerprint TEXT NOT NULL",
        "column_id, part"},
    TableSpec{"runs",
        "run_key INTEGER NOT NULL, version INTEGER NOT NULL, run_id TEXT NOT NULL, given_id TEXT "
        "NOT NULL, state TEXT NOT NULL, event_list INTEGER NOT NULL, events INTEGER NOT NULL, "
        "fingerprint TEXT NOT NULL, body TEXT NOT NULL",
        "run_key, version"},
    TableSpec{"attempts",
        "run_key INTEGER NOT NULL, version INTEGER NOT NULL, position INTEGER NOT NULL, attempt_id "
        "TEXT NOT NULL, first_step INTEGER, last_step INTEGER, ended_how TEXT NOT NULL, body TEXT "
        "NOT NULL",
        "run_key, version, position"},
    TableSpec{"series",
        "run_key INTEGER NOT NULL, version INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT "
        "NOT NULL, quantity TEXT NOT NULL, unit TEXT NOT NULL, rank INTEGER, body TEXT NOT NULL",
        "run_key, version, position"},
    TableSpec{"events",
        "event_list INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, step INTEGER, "
        "rank INTEGER, text TEXT NOT NULL, source INTEGER NOT NULL, line INTEGER NOT NULL, body "
        "TEXT NOT NULL",
        "event_list, position"},
    TableSpec{"judgements",
        "run_key INTEGER NOT NULL, number INTEGER NOT NULL, incidents INTEGER NOT NULL, "
        "fingerprint TEXT NOT NULL",
        "run_key, number"},
    TableSpec{"incidents",
        "run_key INTEGER NOT NULL, judgement INTEGER NOT NULL, position INTEGER NOT NULL, "
        "incident_id TEXT NOT NULL, kind TEXT NOT NULL, run TEXT NOT NULL, attempt TEXT NOT NULL, "
        "onset_step INTEGER NOT NULL, peak_step INTEGER, end_step INTEGER, title TEXT NOT NULL",
        "run_key, judgement, position"},
    TableSpec{"verdicts",
        "incident INTEGER NOT NULL, class TEXT NOT NULL, severity TEXT NOT NULL, "
        "restore_before_step INTEGER, body TEXT NOT NULL",
        "incident"},
    TableSpec{"findings",
        "incident INTEGER NOT NULL, position INTEGER NOT NULL, role TEXT NOT NULL, what TEXT NOT "
        "NULL, series TEXT NOT NULL, step INTEGER, value REAL, value_class TEXT, value_bits "
        "INTEGER, source TEXT NOT NULL, line INTEGER",
        "incident, position"},
    TableSpec{"annotations",
        "time REAL NOT NULL, target TEXT NOT NULL, note TEXT NOT NULL, who TEXT NOT NULL, "
        "withdraws INTEGER",
        ""},
    TableSpec{"statuses",
        "time REAL NOT NULL, checkpoint TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, "
        "reason TEXT NOT NULL, evidence TEXT NOT NULL, who TEXT NOT NULL",
        ""},
    TableSpec{"jobs",
        "time REAL NOT NULL, kind TEXT NOT NULL, outcome TEXT NOT NULL, seconds REAL NOT NULL, "
        "detail TEXT NOT NULL",
        ""},
    TableSpec{"evidence",
        "time REAL NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL, file "
        "TEXT NOT NULL, body TEXT NOT NULL",
        "kind, name, content"},
    TableSpec{"bisects",
        "time REAL NOT NULL, bisect TEXT NOT NULL, n INTEGER NOT NULL, probe TEXT NOT NULL, "
        "verdict TEXT NOT NULL, done_by TEXT NOT NULL, evidence TEXT NOT NULL",
        "bisect, n"},
};

std::vector<std::string> splitNames(std::string_view list)
{
    std::vector<std::string> names;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        std::string_view item = trimmed(list.substr(0, comma));
        names.emplace_back(item.substr(0, item.find(' ')));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return names;
}

std::string sameKey(const TableSpec& table)
{
    std::string condition = "seq = NEW.seq";
    const auto names = splitNames(table.key);
    if (names.empty())
        return condition;
    condition += " OR (";
    for (std::size_t i = 0; i < names.size(); ++i)
        condition += fmt::format("{}{} = NEW.{}", i == 0 ? "" : " AND ", names[i], names[i]);
    return condition + ")";
}

}  // namespace

std::span<const TableSpec> tableSpecs() noexcept
{
    return kTables;
}

std::string columnNames(const TableSpec& table)
{
    return fmt::format("{}", fmt::join(splitNames(table.columns), ", "));
}

std::size_t columnCount(const TableSpec& table) noexcept
{
    return 1
        + static_cast<std::size_t>(std::count(table.columns.begin(), table.columns.end(), ','));
}

std::string createSql(const TableSpec& table)
{
    std::string sql = fmt::format("CREATE TABLE {} (seq INTEGER PRIMARY KEY, {}, hash TEXT NOT "
                                  "NULL{}) STRICT;\n",
        table.name, table.columns,
        table.key.empty() ? std::string() : fmt::format(", UNIQUE ({})", table.key));
    for (const std::string_view change : {"UPDATE", "DELETE"}) {
        sql += fmt::format("CREATE TRIGGER {0}_no_{1} BEFORE {1} ON {0} BEGIN SELECT "
                           "RAISE(ABORT, 'rows of {0} are append-only'); END;\n",
            table.name, change);
    }
    sql += fmt::format("CREATE TRIGGER {0}_new_only BEFORE INSERT ON {0} WHEN EXISTS (SELECT 1 "
                       "FROM {0} WHERE {1}) BEGIN SELECT RAISE(ABORT, 'a row of {0} with this key "
                       "exists'); END;\n",
        table.name, sameKey(table));
    return sql;
}

std::string createCaseSql()
{
    std::string sql = fmt::format(
        "PRAGMA application_id={}; PRAGMA user_version={};\n", kApplicationId, kSchemaVersion);
    for (const TableSpec& table : kTables)
        sql += createSql(table);
    return sql;
}

}  // namespace firstbad::core
