// SPDX-License-Identifier: GPL-3.0-or-later
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

struct Lane {
    std::string_view name;
    const std::optional<std::vector<ReplayCell>>* cells;
};

std::array<Lane, 7> lanesOf(const ReplayLanes& lanes)
{
    return {Lane{"forward", &lanes.forward}, Lane{"backward", &lanes.backward},
        Lane{"grad", &lanes.grad}, Lane{"reduced", &lanes.reduced}, Lane{"clipped", &lanes.clipped},
        Lane{"optimizer", &lanes.optimizer}, Lane{"param", &lanes.param}};
}

/// One state a block: what its cells show together.
std::vector<CellState> statesByBlock(const std::vector<ReplayCell>& cells, std::int64_t blocks)
{
    std::vector<CellState> states(static_cast<std::size_t>(blocks) + 2, CellState::NotLookedAt);
    for (const ReplayCell& cell : cells) {
        if (cell.block < -1 || cell.block > blocks || cell.state == CellState::NotLookedAt)
            continue;
        CellState& state = states[static_cast<std::size_t>(cell.block + 1)];
        if (state == CellState::NotLookedAt || state == CellState::Finite)
            state = cell.masked ? CellState::Finite : cell.state;
        else if (cell.state != CellState::Finite && !cell.masked && cell.state != state)
            state = CellState::Both;
    }
    return states;
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
    const auto columns = static_cast<double>(replay.blocks + 2);
    const double cell = std::min(kMaxCell, (kWidth - kLabelWidth) / columns);
    const double row = std::max(cell, 12.0) + kRowGap;
    double y = 18;
    std::string rings;
    std::string svg = fmt::format("<text x=\"{}\" y=\"11\" fill=\"#66707B\">emb</text><text "
                                  "x=\"{:.1f}\" y=\"11\" fill=\"#66707B\">head</text>",
        kLabelWidth, kLabelWidth + (columns - 1) * cell);
    bool any = false;
    for (const Lane& lane : lanesOf(replay.lanes)) {
        if (!*lane.cells)
            continue;
        any = true;
        svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
            kLabelWidth - 6, y + cell / 2 + 4, lane.name);
        const auto states = statesByBlock(**lane.cells, replay.blocks);
        for (std::size_t i = 0; i < states.size(); ++i) {
            const double x = kLabelWidth + static_cast<double>(i) * cell;
            svg += cellSvg(states[i], x, y, cell);
            if (replay.firstBad && replay.firstBad->lane == lane.name
                && replay.firstBad->block + 1 == static_cast<std::int64_t>(i))
                rings += ringSvg(x, y, cell);
        }
        y += row;
    }
    if (!any)
        return {};
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {:.0f}\" "
                       "role=\"img\" aria-label=\"{}\" font-family=\"Noto Sans, DejaVu Sans, "
                       "sans-serif\" font-size=\"11\">{}{}</svg>",
        kWidth, y + 4, htmlEscaped(title), svg, rings);
}

}  // namespace firstbad::core
