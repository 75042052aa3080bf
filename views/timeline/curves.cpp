// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/curves.h"

#include <algorithm>

namespace firstbad::views {

namespace {

constexpr double kPointDistance = 6.0;  ///< points are shown once they are this far apart
constexpr double kClip = 4.0;  ///< panel heights beyond the range that a curve may reach

QPen penOf(const TimelineScene& scene, const core::PlotLine& line, const QColor& colour,
    const ui::Tokens& t)
{
    const bool lead = static_cast<int>(line.attempt) == scene.leadAttempt();
    if (lead)
        return QPen(colour, 1.7, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    QColor pale = line.isGivenUp ? t.givenUp : colour;
    pale.setAlphaF(0.8F);
    QPen pen(pale, 1.0);
    pen.setDashPattern({3, 2});
    return pen;
}

/// Steps hold their value: a corner before each new one.
QList<QPointF> pointsOf(const core::PlotLine& line, const PanelScale& scale, bool holdsValue)
{
    const double low = scale.warped(scale.low);
    const double high = scale.warped(scale.high);
    const double room = (high - low) * kClip;
    QList<QPointF> points;
    points.reserve(static_cast<qsizetype>(line.points.size()) * (holdsValue ? 2 : 1));
    for (const core::PlotPoint& point : line.points) {
        const double y = std::clamp(scale.warped(point.value), low - room, high + room);
        if (holdsValue && !points.isEmpty())
            points.append(QPointF(point.x, points.last().y()));
        points.append(QPointF(point.x, y));
    }
    return points;
}

bool isSparse(const TimelineScene& scene, const core::PlotLine& line)
{
    if (!scene.frame->isExact || line.points.empty())
        return false;
    const double width = scene.x(line.points.back().x) - scene.x(line.points.front().x);
    return line.points.size() == 1
        || width >= kPointDistance * static_cast<double>(line.points.size() - 1);
}

}  // namespace

QList<PlotCurve> curvesOf(const TimelineScene& scene, int panel, const ui::Tokens& t)
{
    QList<PlotCurve> curves;
    if (!scene.frame || static_cast<std::size_t>(panel) >= scene.frame->panels.size())
        return curves;
    const auto& source = scene.timeline->panels[static_cast<std::size_t>(panel)];
    const QColor colour = seriesColour(source.quantity, t);
    for (const core::PlotLine& line : scene.frame->panels[static_cast<std::size_t>(panel)].lines) {
        PlotCurve curve;
        curve.points = pointsOf(line, scene.scales[panel], source.holdsValue);
        curve.pen = penOf(scene, line, colour, t);
        curve.showsPoints = isSparse(scene, line) && !(source.holdsValue && line.points.size() > 1);
        if (static_cast<int>(line.attempt) == scene.leadAttempt())
            curves.prepend(curve);
        else
            curves.append(curve);
    }
    return curves;
}

}  // namespace firstbad::views
