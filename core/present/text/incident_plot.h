// SPDX-License-Identifier: GPL-3.0-or-later
// What to plot of a run to show one incident: which series, which steps, which marks.
//
// Pure; the plot refers to the run's columns and lives no longer than the run. Any thread.
#pragma once

#include "core/detect/incident.h"
#include "core/present/text/braille_plot.h"
#include "core/series/run.h"

#include <optional>

namespace firstbad::core {

/// nullopt when the incident's attempt has no series with points near its onset.
[[nodiscard]] std::optional<Plot> incidentPlot(const Run& run, const Incident& incident);

/// A panel for a series with the scale, colour and rows that fit its quantity; without segments.
[[nodiscard]] PlotPanel panelFor(const Series& series);

[[nodiscard]] PlotSegment segmentOf(const Column& column) noexcept;

}  // namespace firstbad::core
