// SPDX-License-Identifier: GPL-3.0-or-later
// Where a save lies against the incidents of its training: inside a margin, or how far from it.
//
// Pure over an assessment; any thread.
#pragma once

#include "core/detect/assessment.h"
#include "core/restore/save_record.h"

#include <cstdint>

namespace firstbad::core {

/// Steps without a fault that must lie between a recovered incident and a save.
inline constexpr std::int64_t kCleanSteps = 100;

/// Fills attempt, margin and clean of a record that has a step.
void placeAmongIncidents(SaveRecord& record, const Assessment& assessment, std::int64_t cleanSteps);

}  // namespace firstbad::core
