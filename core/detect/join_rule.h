// SPDX-License-Identifier: GPL-3.0-or-later
// What the ledgers of all ranks say together: split decisions, hangs, stale gradients, optimizers
// that skipped alone.
//
// Pure; linear in what the reports list; any thread.
#pragma once

#include "core/detect/rule.h"

namespace firstbad::core {

[[nodiscard]] std::vector<Finding> evaluateJoin(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
