// SPDX-License-Identifier: GPL-3.0-or-later
// Looks whether a later attempt did a bad step again, and passed it.
//
// Pure; log n in the points of each later attempt; any thread.
#pragma once

#include "core/detect/run_view.h"

#include <optional>

namespace firstbad::core {

struct PassedRerun {
    Evidence evidence;  ///< the finite loss of the later attempt
    bool sameInput = false;  ///< data and learning rate are known to be the same
};

/// nullopt when no later attempt shows the step, or when it was bad there too.
[[nodiscard]] std::optional<PassedRerun> passedLater(const RunView& run, const AttemptView& attempt,
    std::int64_t step, std::optional<std::int32_t> rank);

/// Adds what a passed rerun tells; a short episode with the same input becomes `transient`.
void addRerun(const PassedRerun& rerun, bool isShort, Finding& finding);

}  // namespace firstbad::core
