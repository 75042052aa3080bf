// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineFrame: what one view of a timeline draws: at most two points a pixel column and trace,
// and every non-finite sample.
//
// Pure; O(pixels x traces) whatever the number of points (a trace whose steps go back is scanned);
// cancellable; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/present/timeline/axis_map.h"
#include "core/present/timeline/timeline.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace firstbad::core {

struct PlotPoint {
    double x = 0.0;  ///< on the axis of the frame
    double value = 0.0;
};

/// One stretch without a gap.
struct PlotLine {
    std::size_t attempt = 0;
    bool isGivenUp = false;
    std::vector<PlotPoint> points;
};

/// Non-finite or missing values of one pixel column of one trace.
struct RailMark {
    enum class Kind : std::uint8_t { NotANumber, PlusInfinity, MinusInfinity, Missing };
    double x = 0.0;
    Kind kind = Kind::NotANumber;
    std::size_t attempt = 0;
    std::uint64_t count = 0;
};

struct PanelFrame {
    std::vector<PlotLine> lines;
    std::vector<RailMark> marks;  ///< by x within an attempt
    std::optional<ValueRange> full;  ///< nullopt: nothing finite in view
    std::optional<ValueRange> robust;  ///< median +- 8 MAD, widened to the focused incident
    PlotScale scale = PlotScale::Linear;
};

struct TimelineView {
    double from = 0.0;  ///< on the axis
    double to = 1.0;
    std::size_t pixels = 1;
    std::vector<bool> shownAttempts;  ///< empty: all
    std::optional<StepWindow> incident;  ///< steps that the robust range must hold
    std::size_t incidentAttempt = 0;
};

struct TimelineFrame {
    TimelineView view;
    std::vector<PanelFrame> panels;  ///< parallel to the timeline's
    bool isExact = true;  ///< every point in view is drawn as itself
};

[[nodiscard]] Result<TimelineFrame> drawTimeline(
    const Timeline& timeline, const AxisMap& axis, const TimelineView& view, JobContext& job);

}  // namespace firstbad::core
