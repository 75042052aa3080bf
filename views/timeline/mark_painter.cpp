// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/text.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/theme.h"
#include "views/timeline/painters.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>
#include <QFontMetricsF>

namespace firstbad::views {

namespace {

constexpr float kBandAlpha = 0.07F;
constexpr float kMeasureAlpha = 0.08F;

QString translated(const char* text)
{
    return QCoreApplication::translate("Timeline", text);
}

QColor classColour(core::IncidentClass verdict, const ui::Tokens& t)
{
    switch (verdict) {
    case core::IncidentClass::Fault:
        return t.fault;
    case core::IncidentClass::Unknown:
        return t.unknown;
    case core::IncidentClass::Benign:
        break;
    }
    return t.benign;
}

ui::Glyph classGlyph(core::IncidentClass verdict)
{
    switch (verdict) {
    case core::IncidentClass::Fault:
        return ui::Glyph::Fault;
    case core::IncidentClass::Unknown:
        return ui::Glyph::Unknown;
    case core::IncidentClass::Benign:
        break;
    }
    return ui::Glyph::Benign;
}

double panelsBottom(const TimelineScene& scene)
{
    return scene.layout.axis.top();
}

bool inPlot(const TimelineScene& scene, double x)
{
    return x >= scene.layout.left - 1 && x <= scene.layout.right + 1;
}

void paintSaveLines(QPainter& painter, const TimelineScene& scene, const ui::Tokens& t)
{
    constexpr double kLeastDistance = 14.0;
    painter.setPen(QPen(t.text3, 1, Qt::CustomDashLine));
    QPen dots(t.text3, 1);
    dots.setDashPattern({1, 3});
    double last = -1e9;
    for (const core::TimelineMarker& marker : scene.timeline->markers) {
        const auto row = scene.layout.stripAttempts.indexOf(static_cast<int>(marker.attempt));
        if (marker.kind != core::TimelineMarkerKind::Save || row < 0)
            continue;
        const double x
            = scene.stepX(static_cast<int>(marker.attempt), static_cast<double>(marker.step));
        if (!inPlot(scene, x) || (x - last < kLeastDistance && !marker.newestBeforeFault))
            continue;
        last = x;
        QPen pen = dots;
        if (marker.newestBeforeFault) {
            pen.setColor(t.accent);
            pen.setDashPattern({3, 2});
        }
        painter.setPen(pen);
        painter.drawLine(QPointF(x, scene.layout.barY(static_cast<int>(row)) + 8),
            QPointF(x, panelsBottom(scene)));
    }
}

void paintBand(QPainter& painter, const TimelineScene& scene, const core::TimelineBand& band,
    const ui::Tokens& t)
{
    const int attempt = static_cast<int>(band.attempt);
    const double from
        = std::max(scene.stepX(attempt, static_cast<double>(band.from)), scene.layout.left);
    const double to = std::min(
        std::max(scene.stepX(attempt, static_cast<double>(band.to)), from + 2), scene.layout.right);
    if (from > scene.layout.right || to < scene.layout.left)
        return;
    QColor fill = classColour(band.verdict, t);
    fill.setAlphaF(kBandAlpha);
    painter.fillRect(
        QRectF(QPointF(from, scene.layout.strip.top()), QPointF(to, panelsBottom(scene))), fill);
}

/// Incidents beside the one in focus: a dashed line with the mark of their class.
void paintOthers(QPainter& painter, const TimelineScene& scene, const ui::Tokens& t)
{
    constexpr double kLeastDistance = 14.0;
    double last = -1e9;
    constexpr double kFlagRoom = 110.0;
    const core::TimelineBand* focused = scene.focusedBand();
    const double flagsAt = focused == nullptr
        ? -1e9
        : scene.stepX(static_cast<int>(focused->attempt),
            static_cast<double>(focused->firstBad.value_or(focused->from)));
    QList<const core::TimelineBand*> others;
    for (const core::TimelineBand& band : scene.timeline->bands) {
        if (&band != focused && scene.isShown(static_cast<int>(band.attempt)))
            others.append(&band);
    }
    std::stable_sort(others.begin(), others.end(),
        [](const auto* a, const auto* b) { return a->from < b->from; });
    for (const core::TimelineBand* band : others) {
        const double x
            = scene.stepX(static_cast<int>(band->attempt), static_cast<double>(band->from));
        if (!inPlot(scene, x) || x - last < kLeastDistance)
            continue;
        last = x;
        QPen pen(classColour(band->verdict, t), 1);
        pen.setDashPattern({2, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(x, scene.layout.strip.bottom()), QPointF(x, panelsBottom(scene)));
        // The flags of the one in focus have this room.
        if (x > flagsAt - kFlagRoom && x < flagsAt + kFlagRoom)
            continue;
        ui::paintGlyph(painter, classGlyph(band->verdict),
            QPointF(x, scene.layout.flags.center().y()), 5.5, t);
    }
}

void paintFocused(QPainter& painter, const TimelineScene& scene, const core::TimelineBand& band,
    const ui::Tokens& t)
{
    const int attempt = static_cast<int>(band.attempt);
    const auto onset = static_cast<double>(band.firstBad.value_or(band.from));
    const double x = scene.stepX(attempt, onset);
    const double top = scene.layout.flags.top();
    paintBand(painter, scene, band, t);
    const QString kind
        = QStringLiteral("%1  %2").arg(bridge::qText(band.id), bridge::qText(toString(band.kind)));
    const double bandX = std::clamp(scene.stepX(attempt, static_cast<double>(band.from)),
        scene.layout.left, scene.layout.right);
    if (inPlot(scene, x)) {
        painter.setPen(QPen(t.ring, 1.5));
        painter.drawLine(QPointF(x, top + 8), QPointF(x, panelsBottom(scene)));
        const QString word = band.firstBad
            ? (band.firstBadCertain
                    ? translated(QT_TRANSLATE_NOOP("Timeline", "first bad %1"))
                    : translated(QT_TRANSLATE_NOOP("Timeline", "first seen bad %1")))
            : translated(QT_TRANSLATE_NOOP("Timeline", "onset %1"));
        paintFlag(painter, word.arg(bridge::grouped(static_cast<qint64>(onset))),
            QPointF(x + 0.75, top), FlagSide::Left, {t.ring, t.panel});
    }
    paintFlag(painter, kind, QPointF(std::max(bandX, inPlot(scene, x) ? x : bandX) + 4, top),
        FlagSide::Right, {classColour(band.verdict, t), t.onClass});
}

void paintDots(QPainter& painter, const TimelineScene& scene, double step, const ui::Tokens& t)
{
    const int lead = scene.leadAttempt();
    for (int panel = 0; scene.frame && panel < scene.layout.panels.size(); ++panel) {
        const auto& lines = scene.frame->panels[static_cast<std::size_t>(panel)].lines;
        const double position
            = scene.axis->position(static_cast<std::size_t>(std::max(lead, 0)), step);
        for (const core::PlotLine& line : lines) {
            if (static_cast<int>(line.attempt) != lead || line.points.empty())
                continue;
            const auto found = std::lower_bound(line.points.begin(), line.points.end(), position,
                [](const core::PlotPoint& point, double at) { return point.x < at; });
            const double near
                = std::abs(scene.x(found == line.points.end() ? line.points.back().x : found->x)
                    - scene.x(position));
            if (found == line.points.end() || near > 3)
                continue;
            const double y = scene.y(panel, found->value);
            if (!scene.layout.panels[panel].contains(scene.layout.left + 1, y))
                continue;
            painter.setPen(QPen(
                seriesColour(scene.timeline->panels[static_cast<std::size_t>(panel)].quantity, t),
                1.6));
            painter.setBrush(t.panel);
            painter.drawEllipse(QPointF(scene.x(found->x), y), 3.5, 3.5);
            break;
        }
    }
}

void paintCursorLine(
    QPainter& painter, const TimelineScene& scene, double step, bool pinned, const ui::Tokens& t)
{
    const double x = scene.stepX(scene.leadAttempt(), step);
    if (!inPlot(scene, x))
        return;
    QPen pen(pinned ? t.text : t.text3, 1);
    pen.setDashPattern({5, 3});
    painter.setPen(pen);
    painter.drawLine(QPointF(x, scene.layout.strip.bottom()), QPointF(x, panelsBottom(scene)));
    paintDots(painter, scene, step, t);
    paintFlag(painter, positionText(scene, scene.positionAt(x)),
        QPointF(x, scene.layout.axis.top() + 3), FlagSide::Centre,
        {pinned ? t.text : t.text3, t.panel});
}

void paintMeasure(QPainter& painter, const TimelineScene& scene, double to, const ui::Tokens& t)
{
    const double a = scene.stepX(scene.leadAttempt(), *scene.measure);
    const double b = scene.stepX(scene.leadAttempt(), to);
    const double left = std::clamp(std::min(a, b), scene.layout.left, scene.layout.right);
    const double right = std::clamp(std::max(a, b), scene.layout.left, scene.layout.right);
    const double top = scene.layout.strip.bottom();
    QColor tint = t.accent;
    tint.setAlphaF(kMeasureAlpha);
    painter.fillRect(QRectF(QPointF(left, top), QPointF(right, panelsBottom(scene))), tint);
    painter.setPen(QPen(t.accent, 1.5));
    for (const double x : {left, right})
        painter.drawLine(QPointF(x, top), QPointF(x, panelsBottom(scene)));
    const double y = top + 34;
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    for (const auto& [x, d] : {std::pair(left, 5.0), std::pair(right, -5.0)}) {
        painter.drawLine(QPointF(x, y), QPointF(x + d, y - 4));
        painter.drawLine(QPointF(x, y), QPointF(x + d, y + 4));
    }
    const auto steps = static_cast<qint64>(std::llround(std::abs(to - *scene.measure)));
    paintFlag(painter,
        translated(QT_TRANSLATE_NOOP("Timeline", "%1 steps")).arg(bridge::grouped(steps)),
        QPointF((left + right) / 2, y - 9), FlagSide::Centre, {t.accent, t.panel});
}

}  // namespace

QRectF paintFlag(QPainter& painter, const QString& text, QPointF at, FlagSide side,
    const std::pair<QColor, QColor>& fillAndInk)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(ui::Theme::font(ui::kCaptionPixels, true));
    const QFontMetricsF metrics(painter.font());
    const QSizeF size(metrics.horizontalAdvance(text) + 12, 17);
    const double left = side == FlagSide::Left ? at.x() - size.width()
        : side == FlagSide::Right              ? at.x()
                                               : at.x() - size.width() / 2;
    const QRectF box(QPointF(left, at.y()), size);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fillAndInk.first);
    painter.drawRoundedRect(box, 2, 2);
    painter.setPen(fillAndInk.second);
    painter.drawText(box, Qt::AlignCenter, text);
    painter.restore();
    return box;
}

void paintIncidents(QPainter& painter, const TimelineScene& scene, const ui::Tokens& t)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintSaveLines(painter, scene, t);
    paintOthers(painter, scene, t);
    if (const auto* band = scene.focusedBand())
        paintFocused(painter, scene, *band, t);
    painter.restore();
}

void paintCursor(QPainter& painter, const TimelineScene& scene, const ui::Tokens& t)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const auto end = scene.cursor ? scene.cursor : scene.hover;
    if (scene.measure && end)
        paintMeasure(painter, scene, *end, t);
    if (scene.hover && !scene.selection && scene.hover != scene.cursor)
        paintCursorLine(painter, scene, *scene.hover, false, t);
    if (scene.cursor)
        paintCursorLine(painter, scene, *scene.cursor, true, t);
    if (scene.selection) {
        QColor tint = t.accent;
        tint.setAlphaF(0.14F);
        painter.fillRect(QRectF(QPointF(scene.selection->first, scene.layout.strip.bottom()),
                             QPointF(scene.selection->second, panelsBottom(scene))),
            tint);
    }
    painter.restore();
}

}  // namespace firstbad::views
