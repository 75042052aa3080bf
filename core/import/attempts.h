// SPDX-License-Identifier: GPL-3.0-or-later
// Joins sources into runs and splits them into a tree of attempts: one mechanism for every format.
//
// Pure over its arguments (consumes the sources' columns); one thread; linear in the points.
#pragma once

#include "core/base/result.h"
#include "core/import/source.h"
#include "core/series/run.h"

#include <vector>

namespace firstbad::core {

/// Sources with one runId (or, without one, with the same folder) become one run. Within it,
/// streams are laid one after the other by time or order hint, and split at certain breaks and at
/// those uncertain ones that the evidence supports. `sources` loses its columns and events; infos
/// stay.
[[nodiscard]] std::vector<RunPtr> buildRuns(std::vector<SourceData>& sources);

}  // namespace firstbad::core
