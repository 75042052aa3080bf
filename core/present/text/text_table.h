// SPDX-License-Identifier: GPL-3.0-or-later
// TextTable: rows of cells in columns as wide as they have to be, cut to the terminal's width.
//
// One thread; cost is linear in the cells. Cells hold text that may come from files: it is escaped.
#pragma once

#include "core/present/text/text_style.h"

#include <cstdint>
#include <string>
#include <vector>

namespace firstbad::core {

class TextTable
{
public:
    enum class Align : std::uint8_t { Left, Right };
    struct Column {
        std::string head;
        Align align = Align::Left;
        bool flexible = false;  ///< gives way when the table is too wide
    };

    explicit TextTable(std::vector<Column> columns)
        : m_columns(std::move(columns))
    { }

    /// One cell a column; missing cells are empty.
    void addRow(std::vector<Span> cells) { m_rows.push_back(std::move(cells)); }
    [[nodiscard]] bool empty() const noexcept { return m_rows.empty(); }

    /// Head and rows, two blanks between columns, `indent` blanks before.
    [[nodiscard]] StyledText lines(const TextStyle& style, int indent = 0) const;

private:
    [[nodiscard]] std::vector<int> widths(const TextStyle& style, int indent) const;

    std::vector<Column> m_columns;
    std::vector<std::vector<Span>> m_rows;
};

}  // namespace firstbad::core
