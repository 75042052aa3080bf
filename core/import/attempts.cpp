// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/attempts.h"

#include "core/import/launches.h"
#include "core/import/run_builder.h"

namespace firstbad::core {

std::vector<RunPtr> buildRuns(
    std::vector<SourceData>& sources, const std::vector<SourcePlace>& places)
{
    std::vector<RunPtr> runs;
    for (const RunGroup& group : groupRuns(sources, places)) {
        const std::vector<Launch> launches = launchesOf(sources, places, group.sources);
        if (!launches.empty())
            runs.push_back(buildRun(group.id, launches, sources, places));
    }
    return runs;
}

}  // namespace firstbad::core
