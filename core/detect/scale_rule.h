// SPDX-License-Identifier: GPL-3.0-or-later
// Skips of updates: probes of a dynamic scaler told from collapse and from bursts.
//
// Pure; linear in the skips; any thread.
#pragma once

#include "core/detect/rule.h"

namespace firstbad::core {

[[nodiscard]] std::vector<Finding> evaluateScale(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
