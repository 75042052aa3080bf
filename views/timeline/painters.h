// SPDX-License-Identifier: GPL-3.0-or-later
// The painters of the timeline, each for one part of it: pure, so that window, PNG and SVG agree.
//
// A few milliseconds at most, whatever the number of points. GUI thread, or any that may paint.
#pragma once

#include "views/timeline/scene.h"

#include <QPainter>

namespace firstbad::views {

/// What lies below the curves' widgets: panel backgrounds are the plotting library's.
void paintOverview(QPainter& painter, const TimelineScene& scene, const ui::Tokens& tokens);
/// Bars of attempts with saves, restarts and interventions.
void paintStrip(QPainter& painter, const TimelineScene& scene, const ui::Tokens& tokens);
/// Labels in the gutter and the names of the panels.
void paintPanelLabels(QPainter& painter, const TimelineScene& scene, const ui::Tokens& tokens);
/// Incident bands, first-bad line, flags, save lines.
void paintIncidents(QPainter& painter, const TimelineScene& scene, const ui::Tokens& tokens);
void paintRail(QPainter& painter, const TimelineScene& scene, const ui::Tokens& tokens);
void paintAxis(QPainter& painter, const TimelineScene& scene, const ui::Tokens& tokens);
/// Cursor, hover, measure and the range being selected.
void paintCursor(QPainter& painter, const TimelineScene& scene, const ui::Tokens& tokens);

/// A flag: text on a filled box whose edge touches `x`.
enum class FlagSide { Left, Right, Centre };
QRectF paintFlag(QPainter& painter, const QString& text, QPointF at, FlagSide side,
    const std::pair<QColor, QColor>& fillAndInk);

/// The text of a value on its axis.
[[nodiscard]] QString valueText(double value);
/// The text of a place on the step axis.
[[nodiscard]] QString positionText(const TimelineScene& scene, double position);

}  // namespace firstbad::views
