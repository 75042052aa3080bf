// SPDX-License-Identifier: GPL-3.0-or-later
// Excursions: stretches of a trace above its recent level (median and MAD of the finite values
// before).
//
// Pure; 50 ns a point (see rolling_level.h); any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/detect/rolling_level.h"
#include "core/detect/run_view.h"

#include <vector>

namespace firstbad::core {

/// How far out of its level a value has to be. Factors count robust deviations, shares are of the
/// median.
struct SpikeLimits {
    double factor = 0.0;
    double share = 0.0;
    double ratioFactor = 0.0;  ///< of the logarithm: small losses scatter by factors
    double singleFactor = 0.0;
    double singleShare = 0.0;
    double weakFactor = 0.0;  ///< one value, back at once, is noted from here on
    double weakShare = 0.0;
    double shortShare = 0.0;  ///< with little history
    double rangeShare = 0.0;  ///< of what the loss fell since the start
    std::size_t minHistory = 0;
    std::size_t settle = 0;
    std::size_t newLevel = 0;
    std::size_t window = 0;
};

[[nodiscard]] SpikeLimits limitsFor(Quantity quantity, const Settings& settings);

enum class ExcursionKind : std::uint8_t {
    Strong,
    Weak,  ///< one value, back at once, and not far out: says nothing unless there are many
    Early,  ///< one or two values are all the history there is
};

/// One stretch of points above the level, as indices of the trace.
struct Excursion {
    std::size_t onset = 0;
    std::size_t peak = 0;
    std::size_t last = 0;
    std::size_t outPoints = 0;
    Level level;
    double limit = 0.0;
    bool recovered = false;
    ExcursionKind kind = ExcursionKind::Strong;
};

/// Excursions whose onset lies in the points [from, to), by onset. Values of skipped updates are
/// left out. Empty when cancelled.
[[nodiscard]] std::vector<Excursion> findExcursions(const AttemptView& attempt, const Trace& trace,
    const SpikeLimits& limits, std::size_t from, std::size_t to, JobContext& job);

[[nodiscard]] inline std::vector<Excursion> findExcursions(
    const AttemptView& attempt, const Trace& trace, const SpikeLimits& limits, JobContext& job)
{
    return findExcursions(attempt, trace, limits, 0, trace.size(), job);
}

}  // namespace firstbad::core
