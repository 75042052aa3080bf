// SPDX-License-Identifier: GPL-3.0-or-later
// The answer of replay, sweep and bisect from a worker's result.
//
// Pure but for keeping the evidence; one thread.
#pragma once

#include "app/cli/replay_session.h"

namespace firstbad::cli {

/// Runs `method` and answers it: text or JSON, exit status, evidence kept.
[[nodiscard]] core::Result<Answer> runSweep(std::string_view method,
    const core::ReplayRequest& request, const Environment& environment, core::JobContext& job);

/// 3 for a fault, or a place that another predicate than nonfinite names; else 0.
[[nodiscard]] ExitStatus sweepStatus(const core::ReplayResult& result, const std::string& when);

}  // namespace firstbad::cli
