// SPDX-License-Identifier: GPL-3.0-or-later
// CsvTable: makes points of the rows of a table.
//
// Holds the first 200 rows back until the shape and the roles of the columns are clear. One thread.
#pragma once

#include "core/import/record_sink.h"
#include "core/import/structured/cell.h"
#include "core/import/structured/column_roles.h"
#include "core/import/structured/csv_row.h"
#include "core/import/structured/csv_shape.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct CsvLine {
    std::string_view text;
    std::uint64_t number = 0;
    std::uint64_t offset = 0;
    bool unterminated = false;
};

class CsvTable
{
public:
    /// `fileName` tells what some writers put only there (the tag, the unit of the steps).
    CsvTable(RecordSink& sink, std::string fileName, const ImportOptions& options)
        : m_sink(sink)
        , m_fileName(std::move(fileName))
        , m_nameMap(options)
    { }

    void add(const CsvLine& line);
    void finish();
    /// False after finish() when the text was no table.
    [[nodiscard]] bool isTable() const noexcept { return m_shape.has_value(); }

private:
    struct HeldLine {
        std::string text;
        CsvLine place;
    };
    struct TableColumn {
        std::string name;
        ColumnRole role = ColumnRole::Value;
        bool isNumeric = false;
        std::optional<ColumnHandle> handle;
        std::vector<std::int64_t> pendingMissing;  // until the first number decides
    };

    void addRow(const CsvLine& line);
    void decide();
    void assignRoles(const std::vector<std::vector<std::string>>& sample);
    void chooseStep(const std::vector<std::vector<std::string>>& sample);
    void write(const CsvLine& line);
    [[nodiscard]] bool fitsShape(const CsvLine& line);
    std::optional<std::int64_t> readStep(const CsvLine& line);
    double readTime() const;
    void writeCell(std::size_t index, std::string_view text, const CsvLine& line);
    ColumnHandle column(TableColumn& column, std::size_t index);
    void skip(const CsvLine& line, const char* code, std::string reason);

    RecordSink& m_sink;
    std::string m_fileName;
    NameMap m_nameMap;
    std::optional<CsvShape> m_shape;
    bool m_decided = false;
    std::vector<HeldLine> m_held;
    std::size_t m_heldBytes = 0;
    std::string m_open;  // a row whose quotes are still open
    CsvLine m_openAt;
    CsvRow m_row;
    std::vector<TableColumn> m_columns;
    std::optional<std::size_t> m_step;
    std::optional<std::size_t> m_time;
    StepAxis m_axis = StepAxis::Step;
    std::int64_t m_rowNumber = 0;
};

}  // namespace firstbad::core
