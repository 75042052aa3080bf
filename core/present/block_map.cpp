// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/block_map.h"

#include "core/protocol/replay_codec.h"

#include <algorithm>

namespace firstbad::core {
namespace {

bool holdsInf(CellState state) noexcept
{
    return state == CellState::Inf || state == CellState::Both;
}

bool holdsNan(CellState state) noexcept
{
    return state == CellState::NaN || state == CellState::Both;
}

BlockMapCell cellOf(const ReplayCell& cell) noexcept
{
    if (cell.masked)
        return {CellState::Finite, false};
    return {cell.state, holdsInf(cell.state) && cell.posInf == 0 && cell.negInf > 0};
}

std::size_t columnOf(std::int64_t block, std::int64_t blocks) noexcept
{
    return static_cast<std::size_t>(std::clamp<std::int64_t>(block, -1, blocks) + 1);
}

BlockMapRow makeRow(
    std::string_view lane, const std::optional<std::vector<ReplayCell>>& cells, std::int64_t blocks)
{
    BlockMapRow row{
        std::string(lane), std::vector<BlockMapCell>(static_cast<std::size_t>(blocks + 2))};
    if (!cells)
        return row;
    for (const auto& cell : *cells) {
        BlockMapCell& at = row.cells[columnOf(cell.block, blocks)];
        at = joined(at, cellOf(cell));
    }
    return row;
}

/// Blocks that the result speaks of, even if it does not say how many there are.
std::int64_t blocksOf(const ReplayResult& result)
{
    std::int64_t blocks = std::max<std::int64_t>(result.blocks, 0);
    for (const auto& lane : kReplayLanes) {
        for (const auto& cell :
            result.lanes.*lane.cells ? *(result.lanes.*lane.cells) : std::vector<ReplayCell>())
            blocks = std::max(blocks, std::min<std::int64_t>(cell.block, 100'000));
    }
    return blocks;
}

}  // namespace

BlockMapCell joined(const BlockMapCell& a, const BlockMapCell& b) noexcept
{
    const bool inf = holdsInf(a.state) || holdsInf(b.state);
    const bool nan = holdsNan(a.state) || holdsNan(b.state);
    const bool aIsPlus = holdsInf(a.state) && !a.onlyMinus;
    const bool bIsPlus = holdsInf(b.state) && !b.onlyMinus;
    const bool onlyMinus = inf && !aIsPlus && !bIsPlus;
    if (inf && nan)
        return {CellState::Both, onlyMinus};
    if (inf)
        return {CellState::Inf, onlyMinus};
    if (nan)
        return {CellState::NaN, false};
    const bool looked = a.state == CellState::Finite || b.state == CellState::Finite;
    return {looked ? CellState::Finite : CellState::NotLookedAt, false};
}

BlockMap makeBlockMap(const ReplayResult& result)
{
    BlockMap map;
    map.blocks = blocksOf(result);
    for (const auto& lane : kReplayLanes) {
        const auto& cells = result.lanes.*lane.cells;
        if (!lane.ofParameters || cells)
            map.rows.push_back(makeRow(lane.name, cells, map.blocks));
    }
    if (!result.firstBad || result.firstBad->op == "norm")
        return map;  // the norm is over all blocks: no cell is its own
    const auto row = std::find_if(map.rows.begin(), map.rows.end(),
        [&](const BlockMapRow& candidate) { return candidate.lane == result.firstBad->lane; });
    if (row != map.rows.end())
        map.firstBad = BlockMapPlace{static_cast<std::size_t>(row - map.rows.begin()),
            columnOf(result.firstBad->block, map.blocks)};
    return map;
}

}  // namespace firstbad::core
