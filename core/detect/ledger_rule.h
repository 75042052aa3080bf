// SPDX-License-Identifier: GPL-3.0-or-later
// What the bad lines of an evidence ledger say: stage, place, whether it stayed.
//
// Pure; linear in points and events; any thread.
#pragma once

#include "core/detect/rule.h"

namespace firstbad::core {

[[nodiscard]] std::vector<Finding> evaluateLedger(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
