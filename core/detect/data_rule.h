// SPDX-License-Identifier: GPL-3.0-or-later
// Data that a restart repeated, left out or put in another order.
//
// Pure; see data_order.h for the cost; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/detect/run_view.h"

#include <vector>

namespace firstbad::core {

/// All of class unknown: data may be skipped or repeated on purpose.
[[nodiscard]] std::vector<Finding> evaluateData(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
