// SPDX-License-Identifier: GPL-3.0-or-later
// Launches: which segments of which sources were written by the same launch of the training.
//
// Pure; one thread; linear in the segments times the launches.
#pragma once

#include "core/import/run_grouping.h"
#include "core/import/segments.h"

#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

/// What becomes one attempt.
struct Launch {
    std::vector<Segment> segments;
    std::string attemptId;  ///< named by the source itself; may be empty
    std::string why;
    bool certain = false;
    bool concurrent = false;  ///< written at the same time as the launch before it: no restart
    std::optional<std::int64_t> minStep;
    std::optional<std::int64_t> maxStep;
    std::optional<double> started;
    std::optional<double> ended;

    void add(Segment segment);
};

/// The launches of one run in their order. `members` are the run's sources.
[[nodiscard]] std::vector<Launch> launchesOf(const std::vector<SourceData>& sources,
    const std::vector<SourcePlace>& places, const std::vector<std::size_t>& members);

}  // namespace firstbad::core
