// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/attempts.h"

#include "core/import/launches.h"
#include "core/import/run_builder.h"

#include <algorithm>

namespace firstbad::core {
namespace {

/// A source in which nothing was found makes no run; it stands in the list of sources with its
/// sentence.
bool tellsSomething(const SourceData& data)
{
    return !data.events.empty()
        || std::any_of(data.columns.begin(), data.columns.end(), [](const RawColumn& column) {
               return column.points.size() + column.points.missingSize() > 0;
           });
}

}  // namespace

std::vector<RunPtr> buildRuns(
    std::vector<SourceData>& sources, const std::vector<SourcePlace>& places)
{
    std::vector<RunPtr> runs;
    for (const RunGroup& group : groupRuns(sources, places)) {
        const bool empty = std::none_of(group.sources.begin(), group.sources.end(),
            [&](std::size_t source) { return tellsSomething(sources[source]); });
        if (empty)
            continue;
        const std::vector<Launch> launches = launchesOf(sources, places, group.sources);
        if (launches.empty())
            continue;
        runs.push_back(buildRun(group.id, launches, sources, places));
    }
    return runs;
}

}  // namespace firstbad::core
