// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/layout.h"

#include "core/present/timeline/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace firstbad::views {

namespace {

constexpr double kRightMargin = 24.0;
constexpr double kFlagHeight = 20.0;
constexpr double kBarHeight = 26.0;
constexpr double kRailRow = 16.0;
constexpr double kAxisHeight = 24.0;
constexpr double kGap = 4.0;
constexpr double kOverviewHeight = 84.0;
constexpr double kOverviewFrom = 420.0;  ///< lower windows have no room for it
constexpr double kPixelsATick = 34.0;
constexpr qsizetype kMostBars = 5;

bool touchesRange(const TimelineScene& scene, std::size_t attempt)
{
    const core::TimelineAttempt& a = scene.timeline->attempts[attempt];
    if (!a.first || !a.last)
        return false;
    const double first = scene.axis->position(attempt, static_cast<double>(*a.first));
    const double last = scene.axis->position(attempt, static_cast<double>(*a.last));
    return last >= scene.from && first <= scene.to;
}

/// The attempt in focus, then those nearest to it, in their order.
QList<int> attemptsInStrip(const TimelineScene& scene)
{
    QList<int> shown;
    for (std::size_t i = 0; i < scene.timeline->attempts.size(); ++i) {
        const int at = static_cast<int>(i);
        if (at == scene.leadAttempt() || (touchesRange(scene, i) && scene.isShown(at)))
            shown.append(at);
    }
    while (shown.size() > kMostBars) {
        const int lead = scene.leadAttempt();
        const bool dropFirst = lead - shown.first() > shown.last() - lead;
        if (dropFirst)
            shown.removeFirst();
        else
            shown.removeLast();
    }
    return shown;
}

QList<RailRow> railRowsOf(const TimelineScene& scene)
{
    QList<RailRow> rows;
    for (std::size_t i = 0; scene.frame && i < scene.frame->panels.size(); ++i) {
        if (!scene.frame->panels[i].marks.empty())
            rows.append({panelTitle(scene.timeline->panels[i]), static_cast<int>(i)});
    }
    return rows;
}

double weightOf(core::Quantity quantity)
{
    switch (quantity) {
    case core::Quantity::Loss:
        return 1.5;
    case core::Quantity::LossScale:
        return 1.0;
    case core::Quantity::GradNorm:
        return 1.1;
    default:
        return 0.6;
    }
}

void placePanels(TimelineLayout& layout, const TimelineScene& scene, double top, double bottom)
{
    const auto& panels = scene.timeline->panels;
    double weights = 0.0;
    for (const auto& panel : panels)
        weights += weightOf(panel.quantity);
    const double room = bottom - top - kGap * static_cast<double>(panels.size());
    double y = top;
    for (const auto& panel : panels) {
        const double height = std::max(std::floor(room * weightOf(panel.quantity) / weights), 12.0);
        layout.panels.append(QRectF(layout.left, y, layout.right - layout.left, height));
        y += height + kGap;
    }
}

core::ValueRange widened(core::ValueRange range, core::PlotScale scale)
{
    if (scale == core::PlotScale::Linear) {
        const double width = range.high - range.low;
        const double margin
            = width > 0.0 ? width * 0.08 : std::max(std::abs(range.high) * 0.05, 1e-9);
        return {range.low - margin, range.high + margin};
    }
    const double factor = std::max(std::pow(range.high / range.low, 0.1), 1.3);
    return {range.low / factor, range.high * factor};
}

}  // namespace

TimelineLayout layOut(const TimelineScene& scene, QSizeF size)
{
    TimelineLayout layout;
    layout.left = ui::kGutter;
    layout.right = std::max(size.width() - kRightMargin, layout.left + 10.0);
    if (!scene.timeline)
        return layout;
    const double width = layout.right - layout.left;
    double top = 4.0;
    const bool zoomed = scene.to - scene.from < 0.6 * (scene.wholeTo - scene.wholeFrom);
    if (zoomed && size.height() >= kOverviewFrom) {
        layout.overview = QRectF(layout.left, top + 16.0, width, kOverviewHeight - 32.0);
        top += kOverviewHeight;
    }
    layout.flags = QRectF(layout.left, top, width, kFlagHeight);
    top += kFlagHeight;
    layout.stripAttempts = attemptsInStrip(scene);
    layout.strip = QRectF(
        layout.left, top, width, kBarHeight * static_cast<double>(layout.stripAttempts.size()));
    top = layout.strip.bottom() + kGap;
    layout.railRows = railRowsOf(scene);
    const double railHeight = kRailRow * static_cast<double>(layout.railRows.size());
    const double bottom = size.height() - kAxisHeight - railHeight;
    placePanels(layout, scene, top, bottom);
    const double end = layout.panels.isEmpty() ? top : layout.panels.last().bottom() + kGap;
    layout.rail = QRectF(layout.left, end, width, railHeight);
    layout.axis = QRectF(layout.left, layout.rail.bottom(), width, kAxisHeight);
    return layout;
}

QList<PanelScale> scalesOf(const TimelineScene& scene, bool fullRange)
{
    QList<PanelScale> scales;
    for (qsizetype i = 0; i < scene.layout.panels.size(); ++i) {
        PanelScale scale;
        const auto at = static_cast<std::size_t>(i);
        if (scene.frame && at < scene.frame->panels.size() && scene.frame->panels[at].full) {
            const core::PanelFrame& panel = scene.frame->panels[at];
            const core::ValueRange range = !fullRange && panel.robust ? *panel.robust : *panel.full;
            scale.scale = panel.scale;
            scale.isRobust = range.low > panel.full->low || range.high < panel.full->high;
            const bool logOfNothing = scale.scale != core::PlotScale::Linear && !(range.low > 0.0);
            if (logOfNothing)
                scale.scale = core::PlotScale::Linear;
            const core::ValueRange shown = widened(range, scale.scale);
            scale.low = shown.low;
            scale.high = shown.high;
        }
        const int most
            = std::max(2, static_cast<int>(scene.layout.panels[i].height() / kPixelsATick));
        for (const double tick : core::valueTicks(scale.scale, {scale.low, scale.high}, most))
            scale.ticks.append(tick);
        scales.append(scale);
    }
    return scales;
}

}  // namespace firstbad::views
