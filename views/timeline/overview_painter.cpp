// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/text.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/theme.h"
#include "views/timeline/painters.h"

#include <algorithm>
#include <QCoreApplication>

namespace firstbad::views {

namespace {

double overviewX(const TimelineScene& scene, double position)
{
    const double width = std::max(scene.wholeTo - scene.wholeFrom, 1e-12);
    const QRectF& rect = scene.layout.overview;
    return rect.left() + (position - scene.wholeFrom) / width * rect.width();
}

void paintCurve(QPainter& painter, const TimelineScene& scene, const ui::Tokens& t)
{
    if (!scene.whole || scene.whole->panels.empty() || !scene.whole->panels[0].full)
        return;
    const core::PanelFrame& panel = scene.whole->panels[0];
    PanelScale scale;
    scale.scale = panel.scale;
    const core::ValueRange range = panel.robust.value_or(*panel.full);
    const double low = scale.warped(range.low);
    const double height = std::max(scale.warped(range.high) - low, 1e-12);
    const QRectF rect = scene.layout.overview.adjusted(0, 4, 0, -4);
    painter.setClipRect(scene.layout.overview);
    for (const core::PlotLine& line : panel.lines) {
        QPolygonF points;
        for (const core::PlotPoint& point : line.points)
            points << QPointF(overviewX(scene, point.x),
                rect.bottom() - (scale.warped(point.value) - low) / height * rect.height());
        QPen pen(
            line.isGivenUp ? t.givenUp : seriesColour(scene.timeline->panels[0].quantity, t), 1.2);
        if (line.isGivenUp)
            pen.setDashPattern({3, 2});
        painter.setPen(pen);
        painter.drawPolyline(points);
    }
    painter.setClipping(false);
}

void paintIncidentTicks(QPainter& painter, const TimelineScene& scene, const ui::Tokens& t)
{
    const QRectF& rect = scene.layout.overview;
    double last = -1e9;
    for (const auto verdict : {core::IncidentClass::Fault, core::IncidentClass::Unknown}) {
        for (const core::TimelineBand& band : scene.timeline->bands) {
            if (band.verdict != verdict)
                continue;
            const double x = overviewX(
                scene, scene.axis->position(band.attempt, static_cast<double>(band.from)));
            const bool fault = verdict == core::IncidentClass::Fault;
            QPen pen(fault ? t.fault : t.unknown, 1);
            pen.setDashPattern({2, 2});
            painter.setPen(pen);
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
            if (std::abs(x - last) < 12)
                continue;
            last = x;
            ui::paintGlyph(painter, fault ? ui::Glyph::Fault : ui::Glyph::Unknown,
                QPointF(x, rect.top() + 6), 5, t);
        }
    }
}

}  // namespace

void paintOverview(QPainter& painter, const TimelineScene& scene, const ui::Tokens& t)
{
    if (scene.layout.overview.isNull())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF& rect = scene.layout.overview;
    painter.fillRect(rect, t.panel);
    painter.setPen(t.border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect);
    paintCurve(painter, scene, t);
    paintIncidentTicks(painter, scene, t);
    const double from = std::clamp(overviewX(scene, scene.from), rect.left(), rect.right() - 3);
    const double to = std::clamp(overviewX(scene, scene.to), from + 3, rect.right());
    QColor tint = t.accent;
    tint.setAlphaF(0.16F);
    painter.setBrush(tint);
    painter.setPen(QPen(t.accent, 1.6));
    painter.drawRoundedRect(
        QRectF(QPointF(from, rect.top() - 2), QPointF(to, rect.bottom() + 2)), 2, 2);
    painter.setFont(ui::Theme::font(ui::kCaptionPixels, true));
    painter.setPen(t.text);
    painter.drawText(QPointF(rect.left() + 2, rect.top() - 4),
        QCoreApplication::translate("Timeline", "whole run"));
    painter.setPen(t.accent);
    const QString range = QStringLiteral("%1 – %2").arg(
        positionText(scene, scene.from), positionText(scene, scene.to));
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(range);
    painter.drawText(QPointF(std::clamp((from + to - width) / 2, rect.left(), rect.right() - width),
                         rect.bottom() + 14),
        range);
    painter.restore();
}

}  // namespace firstbad::views
