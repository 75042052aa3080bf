// SPDX-License-Identifier: GPL-3.0-or-later
// What a case shows of each line of the checklist for going live. Pure; any thread.
#pragma once

#include "core/report/report.h"

#include <vector>

namespace firstbad::core {

[[nodiscard]] std::vector<ReportCheck> makeChecklist(
    const Assessment& assessment, const PlacedIncident& placed, const ReportInput& input);

}  // namespace firstbad::core
