// SPDX-License-Identifier: GPL-3.0-or-later
// The first bad place of the input lane, where lint found one: before the model sees the batch.
//
// Pure, any thread.
#pragma once

#include "core/capsule/lint.h"
#include "core/protocol/replay_result.h"

#include <optional>

namespace firstbad::core {

/// Ids, labels and positions out of range (kind "out-of-range"; the step stops there) and
/// non-finite inputs, in the order of micro-steps. nullopt when the input lane is clean.
[[nodiscard]] std::optional<ReplayPlace> inputFirstBad(const LintReport& report);

/// True when the step cannot be run: an id, label or position is out of range.
[[nodiscard]] bool stopsAtInput(const LintReport& report);

}  // namespace firstbad::core
