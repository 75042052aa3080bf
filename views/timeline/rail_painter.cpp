// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/text.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/theme.h"
#include "views/timeline/painters.h"

#include <algorithm>

namespace firstbad::views {

namespace {

constexpr double kRow = 16.0;
constexpr double kJoin = 9.0;  ///< marks closer than this are one bar
constexpr double kLeastBar = 5.0;

ui::Glyph glyphOf(core::RailMark::Kind kind)
{
    switch (kind) {
    case core::RailMark::Kind::PlusInfinity:
        return ui::Glyph::PlusInfinity;
    case core::RailMark::Kind::MinusInfinity:
        return ui::Glyph::MinusInfinity;
    case core::RailMark::Kind::Missing:
        return ui::Glyph::Missing;
    case core::RailMark::Kind::NotANumber:
        break;
    }
    return ui::Glyph::NotANumber;
}

/// Marks of one kind that lie together.
struct MarkGroup {
    ui::Glyph glyph = ui::Glyph::NotANumber;
    double from = 0.0;
    double to = 0.0;
    quint64 count = 0;
    qsizetype places = 0;
};

QList<MarkGroup> groupsOf(const TimelineScene& scene, int panel)
{
    QList<core::RailMark> marks;
    for (const core::RailMark& mark : scene.frame->panels[static_cast<std::size_t>(panel)].marks) {
        const double x = scene.x(mark.x);
        if (x >= scene.layout.left - 1 && x <= scene.layout.right + 1)
            marks.append(mark);
    }
    std::stable_sort(marks.begin(), marks.end(), [](const auto& a, const auto& b) {
        return a.kind != b.kind ? a.kind < b.kind : a.x < b.x;
    });
    QList<MarkGroup> groups;
    for (const core::RailMark& mark : marks) {
        const double x = scene.x(mark.x);
        const ui::Glyph glyph = glyphOf(mark.kind);
        const bool joins
            = !groups.isEmpty() && groups.last().glyph == glyph && x - groups.last().to < kJoin;
        if (!joins)
            groups.append({glyph, x, x, 0, 0});
        groups.last().to = x;
        groups.last().count += mark.count;
        ++groups.last().places;
    }
    return groups;
}

void paintGroup(QPainter& painter, const MarkGroup& group, double y, const ui::Tokens& t)
{
    const bool single = group.count == 1;
    if (single) {
        ui::paintGlyph(painter, group.glyph, QPointF(group.from, y), 4.0, t);
        return;
    }
    const double width = std::max(group.to - group.from, kLeastBar);
    const QRectF bar(group.from - 1, y - 4.5, width + 2, 9);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ui::fillOf(group.glyph, t));
    painter.drawRoundedRect(bar, 2, 2);
    if (width > kJoin)
        ui::paintBareGlyph(painter, group.glyph, bar.center(), 2.8, ui::inkOf(group.glyph, t));
    painter.setFont(ui::Theme::font(ui::kAxisPixels, true));
    painter.setPen(t.text2);
    painter.drawText(
        QPointF(bar.right() + 4, y + 4), bridge::grouped(static_cast<qint64>(group.count)));
}

}  // namespace

void paintRail(QPainter& painter, const TimelineScene& scene, const ui::Tokens& t)
{
    if (!scene.frame || scene.layout.railRows.isEmpty())
        return;
    painter.save();
    for (qsizetype row = 0; row < scene.layout.railRows.size(); ++row) {
        const double top = scene.layout.rail.top() + kRow * static_cast<double>(row);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.fillRect(
            QRectF(scene.layout.left, top, scene.layout.rail.width(), kRow - 1), t.header);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setFont(ui::Theme::font(ui::kAxisPixels));
        painter.setPen(t.text3);
        painter.drawText(QRectF(0, top, scene.layout.left - 6, kRow),
            Qt::AlignRight | Qt::AlignVCenter, scene.layout.railRows[row].name);
        for (const MarkGroup& group : groupsOf(scene, scene.layout.railRows[row].panel))
            paintGroup(painter, group, top + kRow / 2 - 0.5, t);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(t.border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(scene.layout.rail.adjusted(0, 0, -1, -1));
    painter.restore();
}

}  // namespace firstbad::views
