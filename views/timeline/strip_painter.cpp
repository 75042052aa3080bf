// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/text.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/theme.h"
#include "views/timeline/painters.h"

#include <algorithm>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainterPath>

namespace firstbad::views {

namespace {

constexpr double kBar = 5.0;
constexpr double kGlyphRadius = 6.5;

QString translated(const char* text)
{
    return QCoreApplication::translate("Timeline", text);
}

QBrush hatch(const ui::Tokens& t)
{
    constexpr int kTile = 5;
    QPixmap tile(kTile, kTile);
    tile.fill(t.panel);
    QPainter painter(&tile);
    painter.setPen(QPen(t.givenUp, 1.4));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawLine(QPointF(0, kTile), QPointF(kTile, 0));
    painter.drawLine(QPointF(-1, 1), QPointF(1, -1));
    painter.drawLine(QPointF(kTile - 1, kTile + 1), QPointF(kTile + 1, kTile - 1));
    return QBrush(tile);
}

struct BarEnds {
    double from;
    double to;
    bool endsInView;
};

BarEnds barEnds(const TimelineScene& scene, int attempt)
{
    const auto& a = scene.timeline->attempts[static_cast<std::size_t>(attempt)];
    const double first = scene.stepX(attempt, static_cast<double>(a.first.value_or(0)));
    const double last = scene.stepX(attempt, static_cast<double>(a.last.value_or(0)));
    const auto& layout = scene.layout;
    return {std::clamp(first, layout.left, layout.right),
        std::clamp(last, layout.left, layout.right), last >= layout.left && last <= layout.right};
}

void paintBar(
    QPainter& painter, const TimelineScene& scene, int attempt, double y, const ui::Tokens& t)
{
    const auto& a = scene.timeline->attempts[static_cast<std::size_t>(attempt)];
    const BarEnds ends = barEnds(scene, attempt);
    const QColor colour = attempt == scene.leadAttempt() ? t.loss : t.givenUp;
    double kept = ends.to;
    if (a.givenUpFrom)
        kept = std::clamp(
            scene.stepX(attempt, static_cast<double>(*a.givenUpFrom)), ends.from, ends.to);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(QRectF(ends.from, y - kBar / 2, kept - ends.from, kBar), 1, 1);
    if (kept < ends.to) {
        painter.setBrush(hatch(t));
        painter.setPen(QPen(t.givenUp, 1));
        painter.drawRect(QRectF(kept, y - kBar / 2, ends.to - kept, kBar));
    }
    if (ends.endsInView) {
        painter.setPen(QPen(colour, 2));
        painter.drawLine(QPointF(ends.to, y - 6.5), QPointF(ends.to, y + 6.5));
    }
}

QString barText(const TimelineScene& scene, int attempt)
{
    const auto& a = scene.timeline->attempts[static_cast<std::size_t>(attempt)];
    QStringList parts;
    if (a.resumedFrom)
        parts.append(translated(QT_TRANSLATE_NOOP("Timeline", "from %1"))
                         .arg(bridge::grouped(*a.resumedFrom)));
    if (a.givenUpFrom && a.last && *a.last >= *a.givenUpFrom)
        parts.append(translated(QT_TRANSLATE_NOOP("Timeline", "given up %1 – %2"))
                         .arg(bridge::grouped(*a.givenUpFrom), bridge::grouped(*a.last)));
    return parts.join(QStringLiteral(" · "));
}

void paintBranch(QPainter& painter, const TimelineScene& scene, int row, const ui::Tokens& t)
{
    const int attempt = scene.layout.stripAttempts[row];
    const auto& a = scene.timeline->attempts[static_cast<std::size_t>(attempt)];
    if (!a.parent || !a.resumedFrom)
        return;
    const auto parentRow = scene.layout.stripAttempts.indexOf(static_cast<int>(*a.parent));
    const double x = scene.stepX(attempt, static_cast<double>(*a.resumedFrom));
    if (parentRow < 0 || x < scene.layout.left || x > scene.layout.right)
        return;
    painter.setPen(QPen(t.givenUp, 1.2));
    const double top = scene.layout.barY(static_cast<int>(parentRow)) + kBar / 2;
    const double y = scene.layout.barY(row);
    painter.drawPolyline(QPolygonF({QPointF(x, top), QPointF(x, y), QPointF(x + 4, y)}));
}

ui::Glyph glyphOf(core::SaveStatus status)
{
    switch (status) {
    case core::SaveStatus::Committed:
        return ui::Glyph::Committed;
    case core::SaveStatus::Quarantined:
        return ui::Glyph::Quarantined;
    case core::SaveStatus::Suspect:
        break;
    }
    return ui::Glyph::Suspect;
}

void paintPole(QPainter& painter, QPointF at, bool filled, const ui::Tokens& t)
{
    QPainterPath path;
    path.moveTo(at + QPointF(0, 9));
    path.lineTo(at + QPointF(0, -8));
    path.lineTo(at + QPointF(9, -8));
    path.lineTo(at + QPointF(7, -5));
    path.lineTo(at + QPointF(9, -2));
    path.lineTo(at + QPointF(0, -2));
    painter.setPen(QPen(t.accent, 1.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(filled ? QBrush(t.accent) : QBrush(Qt::NoBrush));
    painter.drawPath(path);
}

void paintRestore(QPainter& painter, QPointF at, const ui::Tokens& t)
{
    painter.setPen(QPen(t.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, kGlyphRadius + 3, kGlyphRadius + 3);
    painter.setFont(ui::Theme::font(ui::kCaptionPixels, true));
    painter.setPen(t.accent);
    painter.drawText(at + QPointF(kGlyphRadius + 7, -5),
        translated(QT_TRANSLATE_NOOP("Timeline", "restore this save")));
}

/// Right of each flag as much of its text as fits before the next mark.
void paintMarkers(QPainter& painter, const TimelineScene& scene, int row, const ui::Tokens& t)
{
    const int attempt = scene.layout.stripAttempts[row];
    const double y = scene.layout.barY(row);
    double lastGlyph = -1e9;
    const QFontMetricsF metrics(ui::Theme::font(ui::kAxisPixels));
    for (const core::TimelineMarker& marker : scene.timeline->markers) {
        const double x = scene.stepX(attempt, static_cast<double>(marker.step));
        const bool here = static_cast<int>(marker.attempt) == attempt;
        if (!here || x < scene.layout.left - 1 || x > scene.layout.right + 1)
            continue;
        if (marker.kind == core::TimelineMarkerKind::Save) {
            // Saves that would lie on each other become fewer; the one to restore always stays.
            if (x - lastGlyph < 2 * kGlyphRadius && !marker.newestBeforeFault)
                continue;
            ui::paintGlyph(painter, glyphOf(marker.status), QPointF(x, y), kGlyphRadius, t);
            if (marker.newestBeforeFault)
                paintRestore(painter, QPointF(x, y), t);
            lastGlyph = x;
            continue;
        }
        paintPole(painter, QPointF(x, y), marker.kind == core::TimelineMarkerKind::Intervention, t);
        painter.setFont(ui::Theme::font(ui::kAxisPixels));
        painter.setPen(t.text2);
        const QString text = metrics.elidedText(bridge::qText(marker.text), Qt::ElideRight,
            std::min(220.0, scene.layout.right - x - 14));
        painter.drawText(QPointF(x + 12, y - 4), text);
    }
}

}  // namespace

void paintStrip(QPainter& painter, const TimelineScene& scene, const ui::Tokens& t)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (int row = 0; row < scene.layout.stripAttempts.size(); ++row) {
        const int attempt = scene.layout.stripAttempts[row];
        const double y = scene.layout.barY(row);
        painter.setFont(ui::Theme::font(ui::kCaptionPixels, true));
        painter.setPen(attempt == scene.leadAttempt() ? t.text : t.text2);
        painter.drawText(QRectF(0, y - 10, scene.layout.left - 8, 20),
            Qt::AlignRight | Qt::AlignVCenter,
            bridge::qText(scene.timeline->attempts[static_cast<std::size_t>(attempt)].name));
        paintBranch(painter, scene, row, t);
        paintBar(painter, scene, attempt, y, t);
        painter.setFont(ui::Theme::font(ui::kAxisPixels));
        painter.setPen(t.text3);
        painter.drawText(
            QPointF(barEnds(scene, attempt).from + 14, y - 5), barText(scene, attempt));
        paintMarkers(painter, scene, row, t);
    }
    painter.restore();
}

}  // namespace firstbad::views
