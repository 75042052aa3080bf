// SPDX-License-Identifier: GPL-3.0-or-later
// Losses of exactly 0 that are meant: the gradient lives, so nothing is wrong.
//
// Pure; linear in the points; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/detect/run_view.h"

#include <vector>

namespace firstbad::core {

[[nodiscard]] std::vector<Finding> evaluateZeroLoss(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
