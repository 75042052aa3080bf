// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/replay_result.h"

namespace firstbad::core {

std::string_view toString(CellState state) noexcept
{
    switch (state) {
    case CellState::NotLookedAt:
        return "not_looked_at";
    case CellState::Finite:
        return "finite";
    case CellState::Inf:
        return "inf";
    case CellState::NaN:
        return "nan";
    case CellState::Both:
        return "both";
    }
    return "not_looked_at";
}

}  // namespace firstbad::core
