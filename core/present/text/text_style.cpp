// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/text_style.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace firstbad::core {
namespace {

struct RoleColours {
    Role role;
    std::string_view dark;  // parameters of the SGR sequence; 256 colours
    std::string_view light;
    std::string_view basic;  // terminals with eight colours
};

constexpr std::array<RoleColours, 17> kColours{{
    {Role::Plain, "", "", ""},
    {Role::Strong, "1", "1", "1"},
    {Role::Muted, "38;5;246", "38;5;242", "2"},
    {Role::Fault, "38;5;210", "38;5;124", "31"},
    {Role::Unknown, "38;5;179", "38;5;94", "33"},
    {Role::Benign, "38;5;250", "38;5;240", "2"},
    {Role::Committed, "38;5;79", "38;5;29", "32"},
    {Role::Suspect, "38;5;221", "38;5;94", "33"},
    {Role::Quarantined, "38;5;210", "38;5;124", "31"},
    {Role::NotANumber, "38;5;141", "38;5;54", "35"},
    {Role::Infinite, "38;5;215", "38;5;130", "33"},
    {Role::Both, "38;5;209", "38;5;166", "31"},
    {Role::Loss, "38;5;75", "38;5;25", "36"},
    {Role::Scale, "38;5;79", "38;5;29", "32"},
    {Role::Norm, "38;5;179", "38;5;94", "33"},
    {Role::Other, "38;5;252", "38;5;238", ""},
    {Role::Command, "38;5;75", "38;5;25", "36"},
}};

std::string_view colourOf(Role role, Palette palette)
{
    const RoleColours& colours = kColours.at(static_cast<std::size_t>(role));
    switch (palette) {
    case Palette::None:
        return {};
    case Palette::Dark:
        return colours.dark;
    case Palette::Light:
        return colours.light;
    case Palette::Basic:
        return colours.basic;
    }
    return {};
}

void appendSpan(std::string& out, const Span& span, Palette palette)
{
    const std::string_view colour = colourOf(span.role, palette);
    const bool onlyBlanks = span.text.find_first_not_of(' ') == std::string::npos;
    if (colour.empty() || onlyBlanks) {
        out += span.text;
        return;
    }
    out += "\x1b[";
    out += colour;
    out += 'm';
    out += span.text;
    out += "\x1b[0m";
}

}  // namespace

std::string plainText(const StyledLine& line)
{
    std::string text;
    for (const Span& span : line)
        text += span.text;
    return text;
}

std::string render(const StyledText& text, const TextStyle& style)
{
    std::string out;
    for (const StyledLine& line : text) {
        std::string rendered;
        for (const Span& span : line)
            appendSpan(rendered, span, style.palette);
        while (!rendered.empty() && rendered.back() == ' ')
            rendered.pop_back();
        out += rendered;
        out += '\n';
    }
    return out;
}

}  // namespace firstbad::core
