// SPDX-License-Identifier: GPL-3.0-or-later
// Incidents that people wrote down (chronicles), where no curve of this run shows them.
//
// Pure; linear in the events; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/detect/run_view.h"

#include <vector>

namespace firstbad::core {

/// A person's word is no measurement: each finding is of class unknown, quotes its line, and says
/// what would settle it. Where a loss was logged around the step, the curve speaks and this rule is
/// silent.
[[nodiscard]] std::vector<Finding> evaluateStated(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
