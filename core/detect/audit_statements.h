// SPDX-License-Identifier: GPL-3.0-or-later
// What the audit states beyond its counts: one function for each group of codes (contracts.md 2).
//
// Pure; linear in the points; any thread.
#pragma once

#include "core/detect/incident.h"
#include "core/detect/run_view.h"

#include <string>
#include <vector>

namespace firstbad::core {

void addStatement(Audit& audit, std::string code, Severity severity, std::string text,
    std::vector<std::int64_t> steps = {});

/// clock-jump, step-gap, step-duplicate: what the log's own order tells.
void stateLogOrder(Audit& audit, const AttemptView& attempt);

/// update-missing, silent-skip, update-too-few: updates that the counters, the accumulation or the
/// gradients do not show.
void stateUpdates(Audit& audit, const AttemptView& attempt, const Settings& settings);

/// skip-run, skip-share.
void stateSkips(Audit& audit, const RunView& run, const Settings& settings);

/// config-changed, data-repeat, data-gap: what differs between attempts.
void stateSeams(Audit& audit, const RunView& run);

/// stale-gradient, scale-runaway: what a rule found that is a matter of accounting.
void stateFindings(Audit& audit, const std::vector<Finding>& findings);

}  // namespace firstbad::core
