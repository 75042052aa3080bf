// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the launches of one run into attempts, series and events.
//
// Consumes the columns of the sources it names (a column that is not split moves, one that is split
// is copied piece by piece and then freed: peak memory is the data plus one column). One thread.
#pragma once

#include "core/import/launches.h"
#include "core/series/run.h"

#include <string>
#include <vector>

namespace firstbad::core {

[[nodiscard]] RunPtr buildRun(const std::string& id, const std::vector<Launch>& launches,
    std::vector<SourceData>& sources, const std::vector<SourcePlace>& places);

}  // namespace firstbad::core
