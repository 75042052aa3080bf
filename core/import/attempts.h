// SPDX-License-Identifier: GPL-3.0-or-later
// Joins sources into runs and splits them into a tree of attempts: one mechanism for every format.
//
// run_grouping decides what is one run, segments where a source was restarted, launches which
// stretches of different sources are the same launch, run_builder turns launches into attempts and
// series. One thread; linear in the points.
#pragma once

#include "core/import/run_grouping.h"
#include "core/series/run.h"

#include <vector>

namespace firstbad::core {

/// `sources` lose their columns and events on the way; infos stay. `places` is parallel to
/// `sources`.
[[nodiscard]] std::vector<RunPtr> buildRuns(
    std::vector<SourceData>& sources, const std::vector<SourcePlace>& places);

}  // namespace firstbad::core
