// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that disagree, or that stop while others wait.
//
// Pure; linear in points and events; any thread.
#pragma once

#include "core/detect/rule.h"

namespace firstbad::core {

[[nodiscard]] std::vector<Finding> evaluateRanks(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
