// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/present/timeline/ticks.h"
#include "ui/bridge/text.h"
#include "ui/widgets/theme.h"
#include "views/timeline/painters.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>
#include <QFontMetricsF>

namespace firstbad::views {

namespace {

constexpr double kPixelsAStepTick = 78.0;

QString translated(const char* text)
{
    return QCoreApplication::translate("Timeline", text);
}

QString noteOf(const TimelineScene& scene, int panel)
{
    const PanelScale& scale = scene.scales[panel];
    QStringList parts;
    if (scale.scale == core::PlotScale::Log2)
        parts.append(QStringLiteral("log2"));
    else if (scale.scale == core::PlotScale::Log10)
        parts.append(QStringLiteral("log"));
    if (scale.isRobust)
        parts.append(translated(QT_TRANSLATE_NOOP("Timeline", "robust range")));
    const auto& source = scene.timeline->panels[static_cast<std::size_t>(panel)];
    if (source.sourceName != source.label && bridge::qText(source.sourceName) != panelTitle(source))
        parts.append(bridge::qText(source.sourceName));
    return parts.join(QStringLiteral(", "));
}

void paintTicks(QPainter& painter, const TimelineScene& scene, int panel, const ui::Tokens& t)
{
    const QRectF& rect = scene.layout.panels[panel];
    painter.setFont(ui::Theme::font(ui::kAxisPixels));
    painter.setPen(t.text3);
    double lastY = 1e9;
    for (const double tick : scene.scales[panel].ticks) {
        const double y = scene.y(panel, tick);
        if (y < rect.top() + 3 || y > rect.bottom() - 1 || lastY - y < 12)
            continue;
        lastY = y;
        painter.drawText(QRectF(0, y - 8, scene.layout.left - 6, 16),
            Qt::AlignRight | Qt::AlignVCenter, valueText(tick));
    }
}

void paintTitle(QPainter& painter, const TimelineScene& scene, int panel, const ui::Tokens& t)
{
    const QRectF& rect = scene.layout.panels[panel];
    if (rect.height() < 24)
        return;
    const auto& source = scene.timeline->panels[static_cast<std::size_t>(panel)];
    const QFont strong = ui::Theme::font(ui::kCaptionPixels, true);
    const QFont plain = ui::Theme::font(ui::kCaptionPixels);
    const QString title = panelTitle(source);
    const QString note = noteOf(scene, panel);
    const double titleWidth = QFontMetricsF(strong).horizontalAdvance(title);
    const double noteWidth = QFontMetricsF(plain).horizontalAdvance(note);
    QColor veil = t.panel;
    veil.setAlphaF(0.85F);
    painter.fillRect(
        QRectF(rect.left() + 5, rect.top() + 4, titleWidth + noteWidth + 34, 16), veil);
    painter.fillRect(
        QRectF(rect.left() + 8, rect.top() + 11, 10, 2.5), seriesColour(source.quantity, t));
    painter.setFont(strong);
    painter.setPen(t.text);
    painter.drawText(QPointF(rect.left() + 22, rect.top() + 16), title);
    painter.setFont(plain);
    painter.setPen(t.text3);
    painter.drawText(QPointF(rect.left() + 30 + titleWidth, rect.top() + 16), note);
}

QList<double> axisTicks(const TimelineScene& scene)
{
    const int most = std::max(
        2, static_cast<int>((scene.layout.right - scene.layout.left) / kPixelsAStepTick));
    const auto ticks = scene.axis->axis() == core::StepAxis::Time
        ? core::timeTicks(scene.from, scene.to, most)
        : core::stepTicks(scene.from, scene.to, most);
    return {ticks.begin(), ticks.end()};
}

QString tickText(const TimelineScene& scene, double tick, double distance)
{
    if (scene.axis->axis() == core::StepAxis::Time)
        return bridge::qText(core::timeTickText(tick, distance));
    return bridge::grouped(std::llround(tick));
}

}  // namespace

QString valueText(double value)
{
    if (core::isFinite(value) && std::abs(value) >= 1000.0 && std::abs(value) < 1e7
        && value == std::floor(value))
        return bridge::grouped(static_cast<qint64>(value));
    return bridge::qText(core::shortNumber(value, 4));
}

QString positionText(const TimelineScene& scene, double position)
{
    if (scene.axis->axis() == core::StepAxis::Time)
        return bridge::qText(core::timeTickText(position, 1.0));
    return bridge::grouped(std::llround(position));
}

void paintPanelLabels(QPainter& painter, const TimelineScene& scene, const ui::Tokens& t)
{
    painter.save();
    for (int panel = 0; panel < scene.layout.panels.size(); ++panel) {
        paintTicks(painter, scene, panel, t);
        paintTitle(painter, scene, panel, t);
    }
    painter.restore();
}

void paintAxis(QPainter& painter, const TimelineScene& scene, const ui::Tokens& t)
{
    painter.save();
    painter.setFont(ui::Theme::font(ui::kAxisPixels));
    const QFontMetricsF metrics(painter.font());
    const QList<double> ticks = axisTicks(scene);
    const double distance = ticks.size() > 1 ? ticks[1] - ticks[0] : 1.0;
    const double top = scene.layout.axis.top();
    double end = 0.0;
    for (const double tick : ticks) {
        const double x = scene.x(tick);
        painter.setPen(t.border);
        painter.drawLine(QPointF(x, top), QPointF(x, top + 4));
        const QString text = tickText(scene, tick, distance);
        const double width = metrics.horizontalAdvance(text);
        if (x - width / 2 < end + 8)
            continue;
        end = x + width / 2;
        painter.setPen(t.text2);
        painter.drawText(QPointF(x - width / 2, top + 16), text);
    }
    painter.restore();
}

}  // namespace firstbad::views
