// SPDX-License-Identifier: GPL-3.0-or-later
// Columns that show a wrong number while the training is well: a progress bar without a value, a
// running mean that once took in a NaN.
//
// Pure; linear in the points; any thread.
#pragma once

#include "core/detect/run_view.h"

#include <vector>

namespace firstbad::core {

/// The loss that shows numbers where `loss` is NaN from end to end; nullptr when `loss` is not such
/// a column, or nothing speaks against it.
[[nodiscard]] const Trace* lossThatShows(const AttemptView& attempt, const Trace& loss);

/// Two sources disagree: `silent` never shows a number, `shows` does. Both are quoted.
[[nodiscard]] Finding silentColumn(
    const AttemptView& attempt, const Trace& silent, const Trace& shows);

/// One finding for each running mean that keeps a non-finite value.
void addPoisonedMeans(const AttemptView& attempt, std::vector<Finding>& findings);

}  // namespace firstbad::core
