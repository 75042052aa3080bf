// SPDX-License-Identifier: GPL-3.0-or-later
// The audit of one run: four clocks, skipped updates, scale policy, schedule, masked values.
//
// Pure; linear in the points; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/detect/incident.h"
#include "core/detect/run_view.h"

namespace firstbad::core {

[[nodiscard]] Audit auditRun(const RunView& run, JobContext& job);

}  // namespace firstbad::core
