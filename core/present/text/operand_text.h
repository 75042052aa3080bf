// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of the element that went bad, as a table of products where they are two rows.
//
// Pure, any thread.
#pragma once

#include "core/present/text/text_style.h"
#include "core/protocol/replay_result.h"

#include <vector>

namespace firstbad::core {

void addOperands(
    StyledText& out, const std::vector<ReplayOperand>& operands, const TextStyle& style);

}  // namespace firstbad::core
