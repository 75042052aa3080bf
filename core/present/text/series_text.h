// SPDX-License-Identifier: GPL-3.0-or-later
// Series as text: a table of all of them, or plots of the chosen ones. Pure, any thread.
#pragma once

#include "core/present/series_selection.h"
#include "core/present/text/text_style.h"

#include <vector>

namespace firstbad::core {

/// One row a series: steps, points, range, what is not finite or missing. A run with very many is
/// cut to those worth a line, unless `verbose`.
[[nodiscard]] StyledText seriesTableText(
    const std::vector<SeriesEntry>& entries, const TextStyle& style, bool verbose);

/// A plot and a line of statistics for each; few points, or `allPoints`, are listed below it.
[[nodiscard]] StyledText seriesPlotText(
    const std::vector<SeriesEntry>& entries, const TextStyle& style, bool allPoints);

}  // namespace firstbad::core
