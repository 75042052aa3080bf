// SPDX-License-Identifier: GPL-3.0-or-later
// The marks of the terminal program: one table of Unicode and ASCII forms, role and word.
//
// Constant table, pure functions; any thread. The desktop's shapes mean the same states.
#pragma once

#include "core/base/value_kind.h"
#include "core/detect/finding.h"
#include "core/present/text/text_style.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace firstbad::core {

enum class Mark : std::uint8_t {
    NotLookedAt,
    Finite,
    PlusInfinity,
    MinusInfinity,
    NotANumber,
    Both,
    Missing,
    Zero,
    FirstBad,
    Committed,
    Suspect,
    Quarantined,
    Fault,
    Unknown,
    Benign,
    Skipped,
    Event,
};

struct Glyph {
    Mark mark;
    std::string_view unicode;  ///< one column wide
    std::string_view ascii;
    Role role;
    std::string_view word;  ///< for legends
};

[[nodiscard]] const Glyph& glyphOf(Mark mark) noexcept;
[[nodiscard]] Span markSpan(Mark mark, const TextStyle& style);
[[nodiscard]] Mark markOf(IncidentClass verdict) noexcept;
[[nodiscard]] Mark markOf(ValueKind kind) noexcept;

/// `text` as the style can show it: unchanged with Unicode; otherwise the dashes, arrows and marks
/// that firstbad itself writes in their ASCII form, and '?' for any other letter.
[[nodiscard]] std::string showable(std::string_view text, const TextStyle& style);

}  // namespace firstbad::core
