// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/block_map.h"
#include "core/report/markup.h"
#include "core/report/svg.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr double kLabelWidth = 80;
constexpr double kWidth = 800;
constexpr double kMaxCell = 22;
constexpr double kRowGap = 3;
constexpr double kGlyphCell = 9;  // narrower cells tell by their filled part
constexpr std::size_t kStates = 5;

bool isReached(const BlockMapRow& row)
{
    return std::any_of(row.cells.begin(), row.cells.end(),
        [](const BlockMapCell& cell) { return cell.state != CellState::NotLookedAt; });
}

std::string cellSvg(CellState state, double x, double y, double size)
{
    static constexpr std::array<std::string_view, kStates> kFill{
        "none", "#C5DCEC", "#F0A30A", "#6A1B8A", "#D04A02"};
    const auto index = static_cast<std::size_t>(state);
    std::string svg = fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                                  "height=\"{:.1f}\" rx=\"2\" fill=\"{}\"{}/>",
        x, y, size - 1, size - 1, kFill.at(index),
        state == CellState::NotLookedAt ? " stroke=\"#AEB7C0\" stroke-dasharray=\"2 2\"" : "");
    if (size < kGlyphCell)
        return svg;
    const double cx = x + (size - 1) / 2;
    const double cy = y + (size - 1) / 2;
    const double r = size / 4;
    if (state == CellState::Finite)
        svg += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1\" fill=\"#2D5C7E\"/>", cx, cy);
    else if (state == CellState::Inf)
        svg += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}H{:.1f}z\" fill=\"#1A1D21\"/>",
            cx, cy - r, cx + r, cy + r, cx - r);
    else if (state == CellState::NaN)
        svg += fmt::format("<path d=\"M{0:.1f} {2:.1f}L{1:.1f} {3:.1f}M{0:.1f} {3:.1f}L{1:.1f} "
                           "{2:.1f}\" stroke=\"#FFFFFF\" stroke-width=\"1.5\"/>",
            cx - r, cx + r, cy - r, cy + r);
    else if (state == CellState::Both)
        svg += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\" "
                           "fill=\"#FFFFFF\"/>",
            cx, cy - r, cx + r, cy, cx, cy + r, cx - r, cy);
    return svg;
}

std::string ringSvg(double x, double y, double size)
{
    return fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"3\" "
        "fill=\"none\" stroke=\"#0B0D10\" stroke-width=\"2\"/>",
        x - 2, y - 2, size + 3, size + 3);
}

}  // namespace

std::string blockMapSvg(const ReplayResult& replay, std::string_view title)
{
    const BlockMap map = makeBlockMap(replay);
    const auto columns = static_cast<double>(map.blocks + 2);
    const double cell = std::min(kMaxCell, (kWidth - kLabelWidth) / columns);
    const double height = std::max(cell, 12.0) + kRowGap;
    double y = 18;
    std::string rings;
    std::string svg = fmt::format("<text x=\"{}\" y=\"11\" fill=\"#66707B\">emb</text><text "
                                  "x=\"{:.1f}\" y=\"11\" fill=\"#66707B\">head</text>",
        kLabelWidth, kLabelWidth + (columns - 1) * cell);
    bool any = false;
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        if (!isReached(map.rows[row]))
            continue;
        any = true;
        svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
            kLabelWidth - 6, y + cell / 2 + 4, map.rows[row].lane);
        for (std::size_t i = 0; i < map.rows[row].cells.size(); ++i) {
            const double x = kLabelWidth + static_cast<double>(i) * cell;
            svg += cellSvg(map.rows[row].cells[i].state, x, y, cell);
            if (map.firstBad && map.firstBad->row == row && map.firstBad->column == i)
                rings += ringSvg(x, y, cell);
        }
        y += height;
    }
    if (!any)
        return {};
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {:.0f}\" "
                       "role=\"img\" aria-label=\"{}\" font-family=\"Noto Sans, DejaVu Sans, "
                       "sans-serif\" font-size=\"11\">{}{}</svg>",
        kWidth, y + 4, htmlEscaped(title), svg, rings);
}

}  // namespace firstbad::core
