// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput that falls and stays low.
//
// Pure; linear in the points; any thread.
#pragma once

#include "core/detect/rule.h"

namespace firstbad::core {

[[nodiscard]] std::vector<Finding> evaluateSpeed(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
