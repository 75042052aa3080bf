// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/csv_shape.h"

#include "core/base/text.h"
#include "core/import/structured/cell.h"
#include "core/import/structured/csv_row.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMaxColumns = 20'000;  // beyond it is a matrix, not a log

struct RowCount {
    std::size_t numbers = 0;
    std::size_t words = 0;
};

std::vector<std::string> cellsOf(std::string_view line, char delimiter)
{
    CsvRow row;
    static_cast<void>(row.split(line, delimiter));
    std::vector<std::string> cells;
    for (const std::string_view cell : row.cells())
        cells.emplace_back(trimmed(cell));
    return cells;
}

RowCount countCells(const std::vector<std::string>& cells, char decimal)
{
    RowCount count;
    for (const std::string& text : cells) {
        const CellKind kind = readCell(text, decimal).kind;
        count.numbers += kind == CellKind::Number ? 1U : 0U;
        count.words += kind == CellKind::Text ? 1U : 0U;
    }
    return count;
}

/// How well a delimiter fits: cells a row when most rows agree on it, 0 otherwise.
std::size_t fit(const std::vector<std::string>& lines, std::size_t first, char delimiter)
{
    std::vector<std::size_t> widths;
    for (std::size_t i = first; i < lines.size(); ++i)
        widths.push_back(cellsOf(lines[i], delimiter).size());
    if (widths.empty())
        return 0;
    const std::size_t width = widths.front();
    const auto same = static_cast<std::size_t>(std::count(widths.begin(), widths.end(), width));
    return width > 1 && same * 10 >= widths.size() * 6 ? width : 0;
}

// A comma can only be the decimal mark when it does not separate, and no cell has a point instead.
char guessDecimal(const std::vector<std::string>& lines, std::size_t first, char delimiter)
{
    if (delimiter == ',')
        return '.';
    std::size_t commas = 0;
    std::size_t points = 0;
    for (std::size_t i = first; i < lines.size(); ++i) {
        for (const std::string& cell : cellsOf(lines[i], delimiter)) {
            const bool isComma = readCell(cell, ',').kind == CellKind::Number;
            const bool isPoint = readCell(cell, '.').kind == CellKind::Number;
            commas += isComma && !isPoint ? 1U : 0U;
            points += isPoint && !isComma ? 1U : 0U;
            points += isPoint && cell.find('.') != std::string::npos ? 1U : 0U;
        }
    }
    return commas > points ? ',' : '.';
}

void nameColumns(CsvShape& shape, std::vector<std::string> names)
{
    shape.hasHeader = true;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0 && names[i].empty())
            names[i] = fmt::format("column {}", i + 1);
    }
    shape.names = std::move(names);
}

void takeUnits(CsvShape& shape, const std::vector<std::string>& lines)
{
    if (shape.firstData + 1 >= lines.size())
        return;
    const auto cells = cellsOf(lines[shape.firstData], shape.delimiter);
    const auto next = cellsOf(lines[shape.firstData + 1], shape.delimiter);
    const RowCount here = countCells(cells, shape.decimal);
    const RowCount below = countCells(next, shape.decimal);
    if (cells.size() != shape.names.size() || here.words == 0 || below.words >= here.words
        || below.numbers <= here.numbers)
        return;
    shape.units = cells;
    ++shape.firstData;
}

/// "# step,loss" above bare numbers is the header that numpy writes.
std::optional<std::vector<std::string>> headerInRemark(
    const std::vector<std::string>& lines, std::size_t first, std::size_t width, char delimiter)
{
    if (first == 0 || lines[first - 1].empty())
        return std::nullopt;
    std::string_view remark = trimmed(lines[first - 1]);
    while (!remark.empty() && (remark.front() == '#' || remark.front() == '%'))
        remark.remove_prefix(1);
    auto names = cellsOf(trimmed(remark), delimiter);
    return names.size() == width ? std::optional(std::move(names)) : std::nullopt;
}

}  // namespace

bool isRemark(std::string_view line) noexcept
{
    const std::string_view text = trimmed(line);
    return !text.empty()
        && (text.front() == '#' || text.front() == '%' || text.substr(0, 2) == "//");
}

std::optional<CsvShape> guessCsvShape(const std::vector<std::string>& lines)
{
    std::size_t first = 0;
    while (first < lines.size() && (isRemark(lines[first]) || trimmed(lines[first]).empty()))
        ++first;
    CsvShape shape;
    std::size_t width = 0;
    for (const char delimiter : {'\t', ';', ',', '|'}) {
        const std::size_t found = fit(lines, first, delimiter);
        if (found > width) {
            width = found;
            shape.delimiter = delimiter;
        }
    }
    if (width == 0 || width > kMaxColumns)
        return std::nullopt;
    shape.decimal = guessDecimal(lines, first, shape.delimiter);
    shape.firstData = first;
    auto top = cellsOf(lines[first], shape.delimiter);
    const RowCount count = countCells(top, shape.decimal);
    if (count.words > 0 && count.words >= count.numbers) {
        nameColumns(shape, std::move(top));
        ++shape.firstData;
        takeUnits(shape, lines);
    } else if (auto names = headerInRemark(lines, first, width, shape.delimiter)) {
        nameColumns(shape, std::move(*names));
    } else {
        for (std::size_t i = 0; i < width; ++i)
            shape.names.push_back(fmt::format("column {}", i + 1));
    }
    return shape;
}

}  // namespace firstbad::core
