// SPDX-License-Identifier: GPL-3.0-or-later
// Incidents as a list, worst first, as `look` and `incidents` print it. Pure, any thread.
#pragma once

#include "core/detect/assessment.h"
#include "core/present/text/text_style.h"

namespace firstbad::core {

struct IncidentListOptions {
    std::size_t detailed = 1;  ///< so many of the first ones with their evidence
    bool verbose = false;  ///< benign ones one by one
};

[[nodiscard]] StyledText incidentListText(
    const Assessment& assessment, const TextStyle& style, const IncidentListOptions& options);

}  // namespace firstbad::core
