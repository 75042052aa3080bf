// SPDX-License-Identifier: GPL-3.0-or-later
// Restarts, attempts without an update, losses that jump at a resume.
//
// Pure; linear in the points; any thread.
#pragma once

#include "core/detect/rule.h"

namespace firstbad::core {

[[nodiscard]] std::vector<Finding> evaluateAttempts(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
