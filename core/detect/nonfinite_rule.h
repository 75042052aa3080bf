// SPDX-License-Identifier: GPL-3.0-or-later
// Non-finite losses and gradient norms, shown, masked or filtered, that no scaler explains.
//
// Pure; linear in the points; any thread.
#pragma once

#include "core/detect/rule.h"

namespace firstbad::core {

[[nodiscard]] std::vector<Finding> evaluateNonfinite(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
