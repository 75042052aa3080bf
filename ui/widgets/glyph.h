// SPDX-License-Identifier: GPL-3.0-or-later
// Glyphs: the shapes that say the same as a colour: kinds of values, states of saves, classes of
// incidents. Drawn as paths, so they are as sharp in SVG and PDF as on the screen.
//
// Pure painting; any thread that may paint.
#pragma once

#include "ui/widgets/tokens.h"

#include <QPainter>
#include <QPixmap>
#include <QString>

namespace firstbad::ui {

enum class Glyph {
    NotANumber,
    PlusInfinity,
    MinusInfinity,
    Both,
    Missing,
    Committed,
    Suspect,
    Quarantined,
    Fault,
    Unknown,
    Benign,
};

/// Centred on `centre`, `radius` to its edge.
void paintGlyph(QPainter& painter, Glyph glyph, QPointF centre, qreal radius, const Tokens& tokens);

/// The glyph of a rail bar, on the fill that railFill() gives.
void paintBareGlyph(
    QPainter& painter, Glyph glyph, QPointF centre, qreal radius, const QColor& colour);

[[nodiscard]] QColor fillOf(Glyph glyph, const Tokens& tokens);
[[nodiscard]] QColor inkOf(Glyph glyph, const Tokens& tokens);
/// "NaN", "suspect", "fault": for tooltips and screen readers.
[[nodiscard]] QString nameOf(Glyph glyph);

[[nodiscard]] QPixmap glyphPixmap(Glyph glyph, int size, qreal ratio, const Tokens& tokens);

}  // namespace firstbad::ui
