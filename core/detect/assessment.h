// SPDX-License-Identifier: GPL-3.0-or-later
// Assessment: a data set with the judgement of every run, and incident ids unique in all of them.
//
// Plain values and pure functions; any thread.
#pragma once

#include "core/detect/judge.h"
#include "core/import/dataset.h"

#include <memory>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct RunAssessment {
    RunPtr run;
    Judgement judgement;  ///< incidents worst first
};

struct Assessment {
    std::shared_ptr<const Dataset> dataset;
    std::vector<RunAssessment> runs;  ///< parallel to dataset->runs
};

/// An incident and the run it belongs to.
struct PlacedIncident {
    const RunAssessment* run = nullptr;
    const Incident* incident = nullptr;
};

/// Numbers the incidents of all runs "1", "2", ... worst first, and carries the ids into `related`.
void numberIncidents(std::vector<RunAssessment>& runs);

/// All incidents in the order of their ids.
[[nodiscard]] std::vector<PlacedIncident> incidentsInOrder(const Assessment& assessment);

}  // namespace firstbad::core
