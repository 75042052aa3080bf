// SPDX-License-Identifier: GPL-3.0-or-later
// What a picture must hold: how many colours, and how much of one colour in a part of it.
#pragma once

#include <QColor>
#include <QImage>
#include <QRect>
#include <QSet>

namespace firstbad::test {

inline int distinctColours(const QImage& image)
{
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            colours.insert(image.pixel(x, y));
    }
    return static_cast<int>(colours.size());
}

/// Pixels of the rectangle that are close to the colour.
inline int inkOf(const QImage& image, const QRect& rect, const QColor& colour, int tolerance = 40)
{
    int count = 0;
    const QRect inside = rect.intersected(image.rect());
    for (int y = inside.top(); y <= inside.bottom(); ++y) {
        for (int x = inside.left(); x <= inside.right(); ++x) {
            const QColor pixel(image.pixel(x, y));
            const int distance = qAbs(pixel.red() - colour.red())
                + qAbs(pixel.green() - colour.green()) + qAbs(pixel.blue() - colour.blue());
            count += distance <= tolerance ? 1 : 0;
        }
    }
    return count;
}

}  // namespace firstbad::test
