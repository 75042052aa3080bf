// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/glyph_table.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

constexpr std::array<Glyph, 17> kGlyphs{{
    {Mark::NotLookedAt, "░", ".", Role::Muted, "not looked at"},
    {Mark::Finite, "·", "-", Role::Plain, "finite"},
    {Mark::PlusInfinity, "▲", "^", Role::Infinite, "+Inf"},
    {Mark::MinusInfinity, "▼", "v", Role::Infinite, "-Inf"},
    {Mark::NotANumber, "×", "x", Role::NotANumber, "NaN"},
    {Mark::Both, "◆", "@", Role::Both, "NaN and Inf"},
    {Mark::Missing, "╌", "_", Role::Muted, "no value"},
    {Mark::Zero, "0", "0", Role::Muted, "zero or below"},
    {Mark::FirstBad, "▌", "|", Role::Strong, "first bad"},
    {Mark::Committed, "+", "+", Role::Committed, "committed"},
    {Mark::Suspect, "?", "?", Role::Suspect, "suspect"},
    {Mark::Quarantined, "#", "#", Role::Quarantined, "quarantined"},
    {Mark::Fault, "!", "!", Role::Fault, "fault"},
    {Mark::Unknown, "?", "?", Role::Unknown, "unknown"},
    {Mark::Benign, "○", "o", Role::Benign, "benign"},
    {Mark::Skipped, "↓", "s", Role::Fault, "update skipped"},
    {Mark::Event, "¦", ":", Role::Strong, "event"},
}};

struct Plainer {
    std::string_view unicode;
    std::string_view ascii;
};

// What firstbad's own sentences use beside the marks.
constexpr std::array<Plainer, 18> kPlainer{{{"→", "->"}, {"←", "<-"}, {"–", "-"}, {"—", "-"},
    {"−", "-"}, {"…", "..."}, {"≥", ">="}, {"≤", "<="}, {"≈", "~"}, {"±", "+-"}, {"│", "|"},
    {"┤", "+"}, {"└", "+"}, {"─", "-"}, {"’", "'"}, {"“", "\""}, {"”", "\""}, {"⋯", "~"}}};

std::string_view asciiFor(std::string_view letter)
{
    const auto* glyph = std::find_if(kGlyphs.begin(), kGlyphs.end(),
        [&](const Glyph& candidate) { return candidate.unicode == letter; });
    if (glyph != kGlyphs.end())
        return glyph->ascii;
    const auto* plainer = std::find_if(kPlainer.begin(), kPlainer.end(),
        [&](const Plainer& candidate) { return candidate.unicode == letter; });
    return plainer == kPlainer.end() ? std::string_view("?") : plainer->ascii;
}

}  // namespace

const Glyph& glyphOf(Mark mark) noexcept
{
    return kGlyphs[static_cast<std::size_t>(mark)];  // NOLINT: the table has every mark in order
}

Span markSpan(Mark mark, const TextStyle& style)
{
    const Glyph& glyph = glyphOf(mark);
    return {std::string(style.unicode ? glyph.unicode : glyph.ascii), glyph.role};
}

Mark markOf(IncidentClass verdict) noexcept
{
    switch (verdict) {
    case IncidentClass::Fault:
        return Mark::Fault;
    case IncidentClass::Benign:
        return Mark::Benign;
    case IncidentClass::Unknown:
        break;
    }
    return Mark::Unknown;
}

Mark markOf(ValueKind kind) noexcept
{
    switch (kind) {
    case ValueKind::Finite:
        return Mark::Finite;
    case ValueKind::NotANumber:
        return Mark::NotANumber;
    case ValueKind::PlusInfinity:
        return Mark::PlusInfinity;
    case ValueKind::MinusInfinity:
        break;
    }
    return Mark::MinusInfinity;
}

std::string showable(std::string_view text, const TextStyle& style)
{
    if (style.unicode)
        return std::string(text);
    std::string shown;
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(codePointAt(text).length, 1);
        const std::string_view letter = text.substr(0, length);
        if (static_cast<unsigned char>(letter[0]) < 0x80)
            shown += letter;
        else
            shown += asciiFor(letter);
        text.remove_prefix(length);
    }
    return shown;
}

}  // namespace firstbad::core
