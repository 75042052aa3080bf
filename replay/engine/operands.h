// SPDX-License-Identifier: GPL-3.0-or-later
// Operands of the first bad element: what was multiplied or added there, and the exact result.
//
// Pure over a finished record; one thread. Empty for lanes and ops whose inputs are not kept.
#pragma once

#include "replay/engine/record.h"

namespace firstbad::replay {

/// `cell` must be the first bad cell of the record: only its inputs were kept.
[[nodiscard]] std::vector<core::ReplayOperand> operandsOf(
    ReplayContext& context, const StepRecord& record, const TraceCell& cell);

}  // namespace firstbad::replay
