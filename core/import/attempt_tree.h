// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the tree of attempts from launches: where each resumed, what it gave up, how it ended.
//
// Pure; one thread; linear in launches and events.
#pragma once

#include "core/import/launches.h"
#include "core/series/run.h"

#include <vector>

namespace firstbad::core {

/// Parallel to `launches`.
[[nodiscard]] std::vector<Attempt> attemptTree(
    const std::vector<Launch>& launches, const std::vector<SourceData>& sources);

}  // namespace firstbad::core
