// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/glyph.h"

#include <array>
#include <cmath>
#include <QCoreApplication>
#include <QPainterPath>
#include <QPolygonF>

namespace firstbad::ui {

namespace {

constexpr qreal kPi = 3.14159265358979323846;

QPolygonF regular(QPointF centre, qreal radius, int corners, qreal turn)
{
    QPolygonF polygon;
    for (int i = 0; i < corners; ++i) {
        const qreal angle = turn + 2.0 * kPi * i / corners;
        polygon << centre + QPointF(radius * std::cos(angle), radius * std::sin(angle));
    }
    return polygon;
}

QPolygonF triangle(QPointF c, qreal r, bool up)
{
    const qreal d = up ? 1.0 : -1.0;
    return QPolygonF(
        {c + QPointF(-r, d * r * 0.8), c + QPointF(r, d * r * 0.8), c + QPointF(0.0, -d * r)});
}

void strokeCross(QPainter& painter, QPointF c, qreal r)
{
    painter.drawLine(c + QPointF(-r, -r), c + QPointF(r, r));
    painter.drawLine(c + QPointF(-r, r), c + QPointF(r, -r));
}

QPen roundPen(const QColor& colour, qreal width)
{
    return QPen(colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
}

void paintWord(QPainter& painter, QChar letter, QPointF c, qreal r, const QColor& colour)
{
    QFont font = painter.font();
    font.setPixelSize(qMax(1, qRound(r * 1.5)));
    font.setWeight(QFont::Bold);
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(QRectF(c.x() - r, c.y() - r, 2 * r, 2 * r), Qt::AlignCenter, letter);
}

void paintClass(QPainter& painter, Glyph glyph, QPointF c, qreal r, const Tokens& t)
{
    const QRectF box(c.x() - r, c.y() - r, 2 * r, 2 * r);
    if (glyph == Glyph::Benign) {
        painter.setPen(QPen(t.benign, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(box.adjusted(1, 1, -1, -1));
        return;
    }
    const bool fault = glyph == Glyph::Fault;
    const QColor colour = fault ? t.fault : t.unknown;
    painter.setPen(QPen(colour, 1.4));
    painter.setBrush(fault ? QBrush(colour) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(box.adjusted(0.7, 0.7, -0.7, -0.7), 2, 2);
    paintWord(painter, fault ? u'!' : u'?', c, r, fault ? t.onClass : colour);
}

void paintSave(QPainter& painter, Glyph glyph, QPointF c, qreal r, const Tokens& t)
{
    painter.setBrush(fillOf(glyph, t));
    if (glyph == Glyph::Committed) {
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(c, r, r);
        painter.setPen(roundPen(t.committedGlyph, r * 0.28));
        painter.drawPolyline(QPolygonF({c + QPointF(-0.45 * r, 0.05 * r),
            c + QPointF(-0.1 * r, 0.4 * r), c + QPointF(0.5 * r, -0.35 * r)}));
        return;
    }
    if (glyph == Glyph::Suspect) {
        painter.setPen(QPen(t.edge, 1.0));
        painter.drawPolygon(regular(c, r * 1.1, 4, 0.0));
        paintWord(painter, u'?', c, r * 0.9, t.suspectGlyph);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(regular(c, r * 1.05, 8, kPi / 8.0));
    painter.setPen(roundPen(t.quarantinedGlyph, r * 0.34));
    painter.drawLine(c + QPointF(-0.5 * r, 0), c + QPointF(0.5 * r, 0));
}

void paintValue(QPainter& painter, Glyph glyph, QPointF c, qreal r, const Tokens& t)
{
    switch (glyph) {
    case Glyph::NotANumber:
        painter.setPen(roundPen(t.nan, qMax(1.6, r * 0.5)));
        strokeCross(painter, c, r * 0.75);
        return;
    case Glyph::PlusInfinity:
    case Glyph::MinusInfinity:
        painter.setPen(QPen(t.edge, 1.0));
        painter.setBrush(t.inf);
        painter.drawPolygon(triangle(c, r, glyph == Glyph::PlusInfinity));
        return;
    case Glyph::Both:
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.both);
        painter.drawPolygon(regular(c, r, 4, 0.0));
        return;
    default:
        painter.setPen(QPen(t.text3, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(c.x() - r, c.y() - r * 0.4, 2 * r, r * 0.8));
        return;
    }
}

struct GlyphName {
    Glyph glyph;
    const char* name;
};
constexpr std::array<GlyphName, 11> kNames{{
    {Glyph::NotANumber, "NaN"},
    {Glyph::PlusInfinity, "+Inf"},
    {Glyph::MinusInfinity, "−Inf"},
    {Glyph::Both, QT_TRANSLATE_NOOP("Glyph", "Inf and NaN")},
    {Glyph::Missing, QT_TRANSLATE_NOOP("Glyph", "missing")},
    {Glyph::Committed, QT_TRANSLATE_NOOP("Glyph", "committed")},
    {Glyph::Suspect, QT_TRANSLATE_NOOP("Glyph", "suspect")},
    {Glyph::Quarantined, QT_TRANSLATE_NOOP("Glyph", "quarantined")},
    {Glyph::Fault, QT_TRANSLATE_NOOP("Glyph", "fault")},
    {Glyph::Unknown, QT_TRANSLATE_NOOP("Glyph", "unknown")},
    {Glyph::Benign, QT_TRANSLATE_NOOP("Glyph", "benign")},
}};

}  // namespace

QColor fillOf(Glyph glyph, const Tokens& t)
{
    switch (glyph) {
    case Glyph::NotANumber:
        return t.nan;
    case Glyph::PlusInfinity:
    case Glyph::MinusInfinity:
        return t.inf;
    case Glyph::Both:
        return t.both;
    case Glyph::Committed:
        return t.committed;
    case Glyph::Suspect:
        return t.suspect;
    case Glyph::Quarantined:
        return t.quarantined;
    case Glyph::Fault:
        return t.fault;
    case Glyph::Unknown:
        return t.unknown;
    case Glyph::Benign:
        return t.benign;
    case Glyph::Missing:
        break;
    }
    return t.givenUp;
}

QColor inkOf(Glyph glyph, const Tokens& t)
{
    switch (glyph) {
    case Glyph::NotANumber:
        return t.nanGlyph;
    case Glyph::PlusInfinity:
    case Glyph::MinusInfinity:
        return t.infGlyph;
    case Glyph::Both:
        return t.bothGlyph;
    default:
        return t.onClass;
    }
}

void paintGlyph(QPainter& painter, Glyph glyph, QPointF centre, qreal radius, const Tokens& tokens)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    switch (glyph) {
    case Glyph::Fault:
    case Glyph::Unknown:
    case Glyph::Benign:
        paintClass(painter, glyph, centre, radius, tokens);
        break;
    case Glyph::Committed:
    case Glyph::Suspect:
    case Glyph::Quarantined:
        paintSave(painter, glyph, centre, radius, tokens);
        break;
    default:
        paintValue(painter, glyph, centre, radius, tokens);
        break;
    }
    painter.restore();
}

void paintBareGlyph(
    QPainter& painter, Glyph glyph, QPointF centre, qreal radius, const QColor& colour)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (glyph == Glyph::NotANumber) {
        painter.setPen(roundPen(colour, 1.6));
        strokeCross(painter, centre, radius);
    } else if (glyph == Glyph::PlusInfinity || glyph == Glyph::MinusInfinity) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPolygon(triangle(centre, radius, glyph == Glyph::PlusInfinity));
    }
    painter.restore();
}

QString nameOf(Glyph glyph)
{
    for (const GlyphName& entry : kNames) {
        if (entry.glyph == glyph)
            return QCoreApplication::translate("Glyph", entry.name);
    }
    return {};
}

QPixmap glyphPixmap(Glyph glyph, int size, qreal ratio, const Tokens& tokens)
{
    QPixmap pixmap(QSize(size, size) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintGlyph(painter, glyph, QPointF(size / 2.0, size / 2.0), size / 2.0 - 1.0, tokens);
    return pixmap;
}

}  // namespace firstbad::ui
