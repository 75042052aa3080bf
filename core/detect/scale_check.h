// SPDX-License-Identifier: GPL-3.0-or-later
// Holds a recorded series of loss scales against every known policy.
//
// The start state is unknown (a log may begin anywhere), so all states that fit so far are kept: an
// interval of good-step counts times a set of hysteresis counts. Pure; linear in the points for
// each of some 20 candidates; any thread.
#pragma once

#include "core/detect/incident.h"
#include "core/detect/scale_policy.h"
#include "core/detect/skip_timeline.h"

#include <optional>
#include <string>
#include <string_view>

namespace firstbad::core {

struct ScaleVerdict {
    std::string best = "none";
    std::string alignment;
    bool consistent = false;
    std::optional<PolicyViolation> violation;
    std::int64_t window = 0;  ///< that fits best; 0: the log shows no growth
};

/// `scale` may be null: then the scales that the skips carry are checked. `dialect` breaks ties.
[[nodiscard]] ScaleVerdict checkScale(
    const Trace* scale, const SkipTimeline& skips, std::string_view dialect, bool rounded);

}  // namespace firstbad::core
