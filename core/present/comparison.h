// SPDX-License-Identifier: GPL-3.0-or-later
// How the same quantity differs between runs at the steps that they share.
//
// Pure; linear in the points of the compared series; any thread.
#pragma once

#include "core/import/dataset.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

struct Comparison {
    std::string run;
    std::string other;
    std::string quantity;
    double ratio = 1.0;  ///< median over the common steps of other / run
    std::uint64_t commonSteps = 0;
    std::optional<std::int64_t> step;  ///< first common step at which they differ by half or more
};

/// Each further run against the first, for the quantities that both have. At most 16 runs.
[[nodiscard]] std::vector<Comparison> compareRuns(const std::vector<RunPtr>& runs);

}  // namespace firstbad::core
