// SPDX-License-Identifier: GPL-3.0-or-later
// Styled text for terminals: spans of text with a role, lines of spans, and their rendering.
//
// Plain values and pure functions; any thread. Roles mean something ("fault"); which colour that is
// stands in one table. Colour only repeats what the words and marks already say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace firstbad::core {

enum class Role : std::uint8_t {
    Plain,
    Strong,
    Muted,
    Fault,
    Unknown,
    Benign,
    Committed,
    Suspect,
    Quarantined,
    NotANumber,
    Infinite,
    Both,
    Loss,
    Scale,
    Norm,
    Other,
    Command,
};

enum class Palette : std::uint8_t { None, Dark, Light, Basic };

/// What the terminal can show.
struct TextStyle {
    Palette palette = Palette::None;
    bool unicode = true;  ///< false: ASCII marks, and '*' instead of braille
    int columns = 80;
};

struct Span {
    std::string text;
    Role role = Role::Plain;
};

using StyledLine = std::vector<Span>;
using StyledText = std::vector<StyledLine>;

/// The line without colour.
[[nodiscard]] std::string plainText(const StyledLine& line);

/// One '\n' after each line; trailing blanks removed; escape sequences only with a palette.
[[nodiscard]] std::string render(const StyledText& text, const TextStyle& style);

}  // namespace firstbad::core
