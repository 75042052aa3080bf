// SPDX-License-Identifier: GPL-3.0-or-later
// Updates without effect: gradients of zero, saves that do not differ, schedules that drift.
//
// Pure; linear in points and events; any thread.
#pragma once

#include "core/detect/rule.h"

namespace firstbad::core {

[[nodiscard]] std::vector<Finding> evaluateUpdates(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
