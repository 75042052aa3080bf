// SPDX-License-Identifier: GPL-3.0-or-later
// Where ticks of an axis go: round numbers, powers on a log axis, round times on a time axis.
//
// Pure functions over finite ranges; any thread; a handful of ticks.
#pragma once

#include "core/present/text/plot_axis.h"

#include <string>
#include <vector>

namespace firstbad::core {

/// At most `most` ticks inside [low, high], ascending.
[[nodiscard]] std::vector<double> valueTicks(PlotScale scale, ValueRange range, int most);

/// Whole numbers only, for steps, samples and tokens.
[[nodiscard]] std::vector<double> stepTicks(double low, double high, int most);

/// Seconds since 1970 at round times of UTC.
[[nodiscard]] std::vector<double> timeTicks(double low, double high, int most);

/// "02:30", "11-28 02:30", "02:30:15": as much of the time as the distance of the ticks needs.
[[nodiscard]] std::string timeTickText(double seconds, double distance);

}  // namespace firstbad::core
