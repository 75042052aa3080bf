// SPDX-License-Identifier: GPL-3.0-or-later
// From findings to incidents: what belongs together, what it follows from, where to restore.
//
// Pure; n log n in the findings; any thread.
#pragma once

#include "core/detect/incident.h"
#include "core/detect/run_view.h"
#include "core/detect/settings.h"
#include "core/import/source.h"

#include <vector>

namespace firstbad::core {

[[nodiscard]] std::vector<Incident> mergeFindings(const RunView& run,
    const std::vector<SourceInfo>& sources, std::vector<Finding> findings,
    const Settings& settings);

}  // namespace firstbad::core
