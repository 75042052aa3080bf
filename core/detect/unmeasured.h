// SPDX-License-Identifier: GPL-3.0-or-later
// Steps for which a source has a row of NaN and no measurement: not even the time or the memory,
// which no training can turn into NaN.
//
// Pure; linear in the points of the loss; any thread.
#pragma once

#include "core/detect/run_view.h"

#include <cstdint>
#include <vector>

namespace firstbad::core {

/// Consecutive logged steps without any measurement.
struct UnmeasuredSteps {
    std::int64_t from = 0;
    std::int64_t to = 0;  ///< inclusive
    std::size_t points = 0;
};

/// Stretches of `loss` in whose steps every trace of the attempt is NaN, the machine's own among
/// them. By step.
[[nodiscard]] std::vector<UnmeasuredSteps> unmeasuredSteps(
    const AttemptView& attempt, const Trace& loss);

[[nodiscard]] bool isUnmeasured(
    const std::vector<UnmeasuredSteps>& stretches, std::int64_t step) noexcept;

/// "These steps hold no value": unknown, because a log cannot say why it is empty.
[[nodiscard]] Finding unmeasuredFinding(
    const AttemptView& attempt, const Trace& loss, const UnmeasuredSteps& stretch);

}  // namespace firstbad::core
