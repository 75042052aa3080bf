// SPDX-License-Identifier: GPL-3.0-or-later
// Spikes of loss and gradient norm against a robust recent level (median and MAD).
//
// Pure; some 100 ns a point; any thread.
#pragma once

#include "core/detect/rule.h"

namespace firstbad::core {

[[nodiscard]] std::vector<Finding> evaluateSpikes(
    const RunView& run, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
