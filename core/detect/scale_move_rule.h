// SPDX-License-Identifier: GPL-3.0-or-later
// Moves of the scale that no scaler makes.
//
// Pure; linear in points and events; any thread.
#pragma once

#include "core/detect/rule.h"

namespace firstbad::core {

[[nodiscard]] std::vector<Finding> evaluateScaleMoves(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
