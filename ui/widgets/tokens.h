// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens: the colours of the visual language, light and dark. Never a meaning by colour alone: see
// glyph.h for the shapes.
//
// Plain values; any thread.
#pragma once

#include <QColor>

namespace firstbad::ui {

struct Tokens {
    bool isDark = false;
    QColor window, panel, header, border, hair;
    QColor text, text2, text3, accent, selection, hover, givenUp;
    QColor loss, lossScale, gradNorm, rate;
    QColor notLookedAt, notLookedAtLine, finite, finiteGlyph, inf, infGlyph, nan, nanGlyph, both,
        bothGlyph, ring, gap, edge;
    QColor committed, committedGlyph, suspect, suspectGlyph, suspectText, quarantined,
        quarantinedGlyph;
    QColor fault, unknown, benign, onClass;
};

[[nodiscard]] const Tokens& lightTokens();
[[nodiscard]] const Tokens& darkTokens();

// Sizes in logical pixels at 96 dpi.
inline constexpr int kRowHeight = 22;
inline constexpr int kTwoLineHeight = 38;
inline constexpr int kPaneHeadHeight = 26;
inline constexpr int kButtonHeight = 26;
inline constexpr int kGutter = 62;
inline constexpr int kAxisPixels = 10;
inline constexpr int kCaptionPixels = 11;
inline constexpr int kTextPixels = 12;
inline constexpr int kListTitlePixels = 13;
inline constexpr int kTitlePixels = 15;
inline constexpr int kStartPixels = 26;

}  // namespace firstbad::ui
