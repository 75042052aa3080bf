// SPDX-License-Identifier: GPL-3.0-or-later
// One incident in full: plots around its onset, evidence for and against, what is unknown.
//
// Pure; linear in the points of the steps shown; any thread.
#pragma once

#include "core/detect/assessment.h"
#include "core/present/text/text_style.h"

namespace firstbad::core {

[[nodiscard]] StyledText incidentText(const PlacedIncident& placed, const TextStyle& style);

}  // namespace firstbad::core
