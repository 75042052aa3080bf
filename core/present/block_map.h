// SPDX-License-Identifier: GPL-3.0-or-later
// BlockMap: lanes by blocks of one step, one state a cell, the first bad cell marked.
//
// A finished value for terminals and windows; any thread. Cost: one pass over the cells.
#pragma once

#include "core/protocol/replay_result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

struct BlockMapCell {
    CellState state = CellState::NotLookedAt;
    bool onlyMinus = false;  ///< every infinity in it is -Infinity
};

struct BlockMapRow {
    std::string lane;
    std::vector<BlockMapCell> cells;  ///< embedding, blocks 0 .. N-1, head
};

struct BlockMapPlace {
    std::size_t row = 0;
    std::size_t column = 0;
};

struct BlockMap {
    std::int64_t blocks = 0;
    std::vector<BlockMapRow> rows;  ///< forward and backward always, others when reached
    std::optional<BlockMapPlace> firstBad;
};

/// Masked cells count as finite.
[[nodiscard]] BlockMap makeBlockMap(const ReplayResult& result);

/// The worse of two states, for cells that stand for several: Both, NaN, Inf, finite, not looked
/// at.
[[nodiscard]] BlockMapCell joined(const BlockMapCell& a, const BlockMapCell& b) noexcept;

}  // namespace firstbad::core
