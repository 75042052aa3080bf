// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/text_table.h"

#include "core/base/text.h"
#include "core/present/text/glyph_table.h"
#include "core/present/text/text_width.h"

#include <algorithm>
#include <numeric>

namespace firstbad::core {
namespace {

constexpr int kBetween = 2;
constexpr int kNarrowest = 8;

std::string shownCell(const std::string& text, const TextStyle& style)
{
    return showable(escapedForTerminal(text), style);
}

std::string blanks(int count)
{
    return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

}  // namespace

std::vector<int> TextTable::widths(const TextStyle& style, int indent) const
{
    std::vector<int> widths(m_columns.size());
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        widths[i] = displayWidth(m_columns[i].head);
        for (const auto& row : m_rows) {
            if (i < row.size())
                widths[i] = std::max(widths[i], displayWidth(shownCell(row[i].text, style)));
        }
    }
    const int gaps = kBetween * static_cast<int>(m_columns.empty() ? 0 : m_columns.size() - 1);
    int excess = std::accumulate(widths.begin(), widths.end(), indent + gaps) - style.columns;
    for (std::size_t i = 0; i < widths.size() && excess > 0; ++i) {
        if (!m_columns[i].flexible)
            continue;
        const int least = std::max(kNarrowest, displayWidth(m_columns[i].head));
        const int give = std::min(excess, std::max(widths[i] - least, 0));
        widths[i] -= give;
        excess -= give;
    }
    return widths;
}

StyledText TextTable::lines(const TextStyle& style, int indent) const
{
    const std::vector<int> columnWidths = widths(style, indent);
    const std::string ellipsis = showable("…", style);
    const auto lineOf = [&](const auto& cellAt, std::size_t cells) {
        StyledLine line{{blanks(indent), Role::Plain}};
        for (std::size_t i = 0; i < cells; ++i) {
            const Span cell = cellAt(i);
            const std::string text
                = cutFrontToWidth(shownCell(cell.text, style), columnWidths[i], ellipsis);
            const std::string padding = blanks(columnWidths[i] - displayWidth(text));
            if (i > 0)
                line.push_back({blanks(kBetween), Role::Plain});
            if (m_columns[i].align == Align::Right)
                line.push_back({padding, Role::Plain});
            line.push_back({text, cell.role});
            if (m_columns[i].align == Align::Left)
                line.push_back({padding, Role::Plain});
        }
        return line;
    };
    StyledText out;
    const bool hasHead = std::any_of(m_columns.begin(), m_columns.end(),
        [](const Column& column) { return !column.head.empty(); });
    if (hasHead)
        out.push_back(lineOf(
            [&](std::size_t i) {
                return Span{m_columns[i].head, Role::Muted};
            },
            m_columns.size()));
    for (const auto& row : m_rows)
        out.push_back(
            lineOf([&](std::size_t i) { return row[i]; }, std::min(row.size(), m_columns.size())));
    return out;
}

}  // namespace firstbad::core
