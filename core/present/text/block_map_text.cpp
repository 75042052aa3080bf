// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/block_map_text.h"

#include "core/present/text/glyph_table.h"
#include "core/present/text/line_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace firstbad::core {
namespace {

constexpr int kLabel = 9;
constexpr std::size_t kWindow = 12;  // blocks on each side of the first bad that keep a column

/// Columns of the map that one character stands for: [from, to).
struct Group {
    std::size_t from = 0;
    std::size_t to = 0;
};

/// Groups of at most `size` columns over [from, to).
void addGroups(std::vector<Group>& groups, std::size_t from, std::size_t to, std::size_t size)
{
    for (; from < to; from += size)
        groups.push_back({from, std::min(to, from + size)});
}

/// Embedding, head and the window around `middle` single, the others `size` a group.
std::vector<Group> grouped(std::size_t columns, std::size_t middle, std::size_t size)
{
    const std::size_t first
        = std::clamp<std::size_t>(middle > kWindow ? middle - kWindow : 1, 1, columns - 1);
    const std::size_t last = std::clamp<std::size_t>(middle + kWindow + 1, first, columns - 1);
    std::vector<Group> groups;
    addGroups(groups, 0, 1, 1);
    addGroups(groups, 1, first, size);
    addGroups(groups, first, last, 1);
    addGroups(groups, last, columns - 1, size);
    addGroups(groups, columns - 1, columns, 1);
    return groups;
}

/// As few blocks a group as the room allows.
std::vector<Group> fitted(std::size_t columns, std::size_t middle, std::size_t room)
{
    std::vector<Group> groups;
    addGroups(groups, 0, columns, 1);
    for (std::size_t size = 2; groups.size() > room && size < columns; ++size)
        groups = grouped(columns, middle, size);
    return groups;
}

Mark markOf(const BlockMapCell& cell)
{
    switch (cell.state) {
    case CellState::NotLookedAt:
        return Mark::NotLookedAt;
    case CellState::Finite:
        return Mark::Finite;
    case CellState::Inf:
        return cell.onlyMinus ? Mark::MinusInfinity : Mark::PlusInfinity;
    case CellState::NaN:
        return Mark::NotANumber;
    case CellState::Both:
        return Mark::Both;
    }
    return Mark::NotLookedAt;
}

BlockMapCell cellOf(const BlockMapRow& row, const Group& group)
{
    BlockMapCell cell = row.cells[group.from];
    for (std::size_t column = group.from + 1; column < group.to; ++column)
        cell = joined(cell, row.cells[column]);
    return cell;
}

/// Writes `label` at `at` if it touches nothing that stands there.
void place(std::string& line, std::size_t at, const std::string& label)
{
    if (at + label.size() > line.size())
        return;
    const std::size_t before = at == 0 ? 0 : at - 1;
    const std::size_t end = std::min(line.size(), at + label.size() + 1);
    if (line.substr(before, end - before).find_first_not_of(' ') == std::string::npos)
        line.replace(at, label.size(), label);
}

/// "e", the number of the first bad block, "h", then round numbers where there is room.
std::string ticks(const std::vector<Group>& groups, std::optional<std::size_t> firstBad)
{
    std::string line(groups.size(), ' ');
    line.front() = 'e';
    line.back() = 'h';
    const auto numbered
        = [&](std::size_t index) { return fmt::format("{}", groups[index].from - 1); };
    const auto isBlock = [&](std::size_t index) { return index > 0 && index + 1 < groups.size(); };
    if (firstBad && isBlock(*firstBad) && *firstBad > 1)
        place(line, *firstBad, numbered(*firstBad));
    for (std::size_t index = 1; index + 1 < groups.size(); ++index) {
        const bool round
            = (groups[index].from - 1) % 10 == 0 || groups[index].to - groups[index].from > 1;
        if (round && isBlock(index) && index > 1)
            place(line, index, numbered(index));
    }
    return line;
}

StyledLine rowLine(const BlockMapRow& row, const std::vector<Group>& groups, const TextStyle& style)
{
    LineBuilder line(style);
    line.add(row.lane).padTo(kLabel);
    for (const Group& group : groups)
        line.add(markOf(cellOf(row, group)));
    return line.take();
}

/// "^ first bad: ..." under the cell, to its left where there is no room on its right.
StyledLine pointerLine(int column, const std::string& pointed, const TextStyle& style)
{
    const std::string text = "first bad: " + pointed;
    LineBuilder line(style);
    const int length = static_cast<int>(text.size());
    if (kLabel + column + 2 + length <= style.columns)
        return line.padTo(kLabel + column)
            .add("^ ", Role::Strong)
            .addFromFile(text, Role::Strong)
            .take();
    line.padTo(std::max(0, kLabel + column - length - 1));
    return line.addFromFile(text, Role::Strong).add(" ^", Role::Strong).take();
}

void addLegend(StyledText& out, const BlockMap& map, bool grouped, const TextStyle& style)
{
    std::set<Mark> marks;
    for (const auto& row : map.rows) {
        for (const auto& cell : row.cells)
            marks.insert(markOf(cell));
    }
    LineBuilder line(style);
    line.padTo(kLabel);
    for (const Mark mark : marks)
        line.add(mark).add(fmt::format(" {}  ", glyphOf(mark).word), Role::Muted);
    out.push_back(line.add("e embedding, h head", Role::Muted).take());
    if (grouped)
        out.push_back(
            line.padTo(kLabel).add("far columns hold several blocks", Role::Muted).take());
}

}  // namespace

StyledText blockMapText(const BlockMap& map, const std::string& pointed, const TextStyle& style)
{
    const auto columns = static_cast<std::size_t>(map.blocks + 2);
    const auto room = static_cast<std::size_t>(std::max(style.columns - kLabel, 16));
    const std::size_t middle = map.firstBad ? map.firstBad->column : 1;
    const auto groups = fitted(columns, middle, room);
    const auto at = std::find_if(groups.begin(), groups.end(),
        [middle](const Group& group) { return middle >= group.from && middle < group.to; });
    const auto column = static_cast<std::size_t>(at - groups.begin());

    StyledText out;
    out.push_back(
        LineBuilder(style)
            .padTo(kLabel)
            .add(ticks(groups, map.firstBad ? std::optional(column) : std::nullopt), Role::Muted)
            .take());
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        out.push_back(rowLine(map.rows[row], groups, style));
        if (map.firstBad && map.firstBad->row == row)
            out.push_back(pointerLine(static_cast<int>(column), pointed, style));
    }
    addLegend(out, map, groups.size() < columns, style);
    return out;
}

}  // namespace firstbad::core
