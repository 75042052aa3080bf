// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/timeline/frame.h"

#include "core/present/timeline/trace_lines.h"

#include <algorithm>
#include <cmath>

namespace firstbad::core {
namespace {

constexpr double kRobustDeviations = 8.0;
constexpr double kLogFromRatio = 60.0;  ///< a loss that spans more than this is drawn on a log axis

void widen(std::optional<ValueRange>& range, double value) noexcept
{
    if (!range) {
        range = ValueRange{value, value};
        return;
    }
    range->low = std::min(range->low, value);
    range->high = std::max(range->high, value);
}

bool inView(const PlotPoint& point, const TimelineView& view) noexcept
{
    return point.x >= view.from && point.x <= view.to;
}

double medianOf(std::vector<double>& values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// On a log axis the spread is that of the logarithms.
double warped(double value, PlotScale scale) noexcept
{
    return scale == PlotScale::Linear ? value : std::log2(value);
}
double unwarped(double value, PlotScale scale) noexcept
{
    return scale == PlotScale::Linear ? value : std::exp2(value);
}

std::optional<ValueRange> robustRange(const PanelFrame& panel, const TimelineView& view)
{
    std::vector<double> values;
    for (const PlotLine& line : panel.lines) {
        for (const PlotPoint& point : line.points) {
            if (inView(point, view) && (panel.scale == PlotScale::Linear || point.value > 0.0))
                values.push_back(warped(point.value, panel.scale));
        }
    }
    if (values.empty() || !panel.full)
        return panel.full;
    const double median = medianOf(values);
    for (double& value : values)
        value = std::abs(value - median);
    const double spread = kRobustDeviations * medianOf(values);
    if (!(spread > 0.0))
        return panel.full;
    return ValueRange{std::max(unwarped(median - spread, panel.scale), panel.full->low),
        std::min(unwarped(median + spread, panel.scale), panel.full->high)};
}

void widenToIncident(PanelFrame& panel, const TimelineView& view, const AxisMap& axis)
{
    if (!view.incident)
        return;
    const double from
        = axis.position(view.incidentAttempt, static_cast<double>(view.incident->from));
    const double to = axis.position(view.incidentAttempt, static_cast<double>(view.incident->to));
    for (const PlotLine& line : panel.lines) {
        for (const PlotPoint& point : line.points) {
            const bool inside = line.attempt == view.incidentAttempt && point.x >= from
                && point.x <= to && inView(point, view);
            if (inside && (panel.scale == PlotScale::Linear || point.value > 0.0))
                widen(panel.robust, point.value);
        }
    }
}

/// A log axis shows what is above zero; the rest lies below its lower edge.
std::optional<ValueRange> positiveRange(const PanelFrame& panel, const TimelineView& view)
{
    std::optional<ValueRange> range;
    for (const PlotLine& line : panel.lines) {
        for (const PlotPoint& point : line.points) {
            if (inView(point, view) && point.value > 0.0)
                widen(range, point.value);
        }
    }
    return range;
}

PlotScale scaleFor(const TimelinePanel& source, const ValueRange& full)
{
    if (source.quantity != Quantity::Loss)
        return source.scale;
    const bool wide = full.low > 0.0 && full.high > kLogFromRatio * full.low;
    return wide ? PlotScale::Log10 : PlotScale::Linear;
}

void findRanges(
    PanelFrame& panel, const TimelinePanel& source, const TimelineView& view, const AxisMap& axis)
{
    for (const PlotLine& line : panel.lines) {
        for (const PlotPoint& point : line.points) {
            if (inView(point, view))
                widen(panel.full, point.value);
        }
    }
    panel.scale = source.scale;
    if (!panel.full)
        return;
    panel.scale = scaleFor(source, *panel.full);
    if (panel.scale != PlotScale::Linear) {
        const auto positive = positiveRange(panel, view);
        if (positive)
            panel.full = positive;
        else
            panel.scale = PlotScale::Linear;
    }
    panel.robust = source.holdsValue ? panel.full : robustRange(panel, view);
    widenToIncident(panel, view, axis);
}

}  // namespace

Result<TimelineFrame> drawTimeline(
    const Timeline& timeline, const AxisMap& axis, const TimelineView& view, JobContext& job)
{
    TimelineFrame frame;
    frame.view = view;
    frame.view.pixels = std::clamp<std::size_t>(view.pixels, 1, Pyramid::kMaxPixels);
    for (const TimelinePanel& panel : timeline.panels) {
        PanelFrame drawn;
        for (std::size_t i = 0; i < panel.traces.size(); ++i) {
            if (job.cancelled())
                return JobContext::cancelledError();
            if (i < view.shownAttempts.size() && !view.shownAttempts[i])
                continue;
            const TraceRequest request{
                panel.traces[i], axis, frame.view, i, timeline.attempts[i].givenUpFrom};
            frame.isExact = addTrace(drawn, request) && frame.isExact;
        }
        findRanges(drawn, panel, frame.view, axis);
        frame.panels.push_back(std::move(drawn));
    }
    return frame;
}

}  // namespace firstbad::core
