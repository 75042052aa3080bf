// SPDX-License-Identifier: GPL-3.0-or-later
// The audit of one run: four clocks, skipped updates, scale policy, schedule, masked values.
//
// Pure; linear in the points; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/detect/incident.h"
#include "core/detect/run_view.h"

#include <vector>

namespace firstbad::core {

/// `findings` are those of the rules: some are a matter of accounting too.
[[nodiscard]] Audit auditRun(const RunView& run, const std::vector<Finding>& findings,
    const Settings& settings, JobContext& job);

}  // namespace firstbad::core
