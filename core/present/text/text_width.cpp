// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/text_width.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace firstbad::core {
namespace {

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};

// Unicode 15, East Asian Width W and F, joined where only unassigned code points lie between.
constexpr std::array<Range, 19> kWide{
    {{0x1100, 0x115F}, {0x231A, 0x231B}, {0x2329, 0x232A}, {0x23E9, 0x23EC}, {0x25FD, 0x25FE},
        {0x2614, 0x2615}, {0x26A1, 0x26A1}, {0x2705, 0x2705}, {0x274C, 0x274C}, {0x2E80, 0x303E},
        {0x3041, 0xA4CF}, {0xA960, 0xA97F}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},
        {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F9FF}, {0x20000, 0x3FFFD}}};

constexpr std::array<Range, 10> kZero{
    {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F}, {0x1AB0, 0x1AFF},
        {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};

template <std::size_t Size>
bool contains(const std::array<Range, Size>& ranges, std::uint32_t point) noexcept
{
    return std::any_of(ranges.begin(), ranges.end(),
        [point](const Range& range) { return point >= range.first && point <= range.last; });
}

int widthOf(std::uint32_t point) noexcept
{
    if (point < 0x300)
        return 1;
    if (contains(kZero, point))
        return 0;
    return contains(kWide, point) ? 2 : 1;
}

struct Letter {
    std::size_t length = 1;
    int width = 1;
    bool wide = false;
};

Letter letterAt(std::string_view text) noexcept
{
    const CodePoint point = codePointAt(text);
    if (point.length == 0)
        return {};
    const int width = widthOf(point.value);
    return {point.length, width, width == 2};
}

/// Bytes of the longest beginning that is at most `columns` wide.
std::size_t bytesWithin(std::string_view text, int columns) noexcept
{
    std::size_t bytes = 0;
    int used = 0;
    while (bytes < text.size()) {
        const Letter letter = letterAt(text.substr(bytes));
        if (used + letter.width > columns)
            break;
        used += letter.width;
        bytes += letter.length;
    }
    return bytes;
}

/// Where a line that can hold `fitting` bytes is best broken: after the last blank or wide letter.
std::size_t breakBefore(std::string_view text, std::size_t fitting) noexcept
{
    if (fitting >= text.size() || text[fitting] == ' ')
        return fitting;
    std::size_t best = 0;
    for (std::size_t at = 0; at < fitting;) {
        const Letter letter = letterAt(text.substr(at));
        at += letter.length;
        if (at <= fitting && (text[at - 1] == ' ' || letter.wide))
            best = at;
    }
    return best == 0 ? fitting : best;
}

}  // namespace

int displayWidth(std::string_view text) noexcept
{
    int width = 0;
    while (!text.empty()) {
        const Letter letter = letterAt(text);
        width += letter.width;
        text.remove_prefix(std::min(letter.length, text.size()));
    }
    return width;
}

std::string cutToWidth(std::string_view text, int columns, std::string_view ellipsis)
{
    if (displayWidth(text) <= columns)
        return std::string(text);
    const int room = std::max(columns - displayWidth(ellipsis), 0);
    return std::string(text.substr(0, bytesWithin(text, room))) + std::string(ellipsis);
}

std::string cutFrontToWidth(std::string_view text, int columns, std::string_view ellipsis)
{
    int width = displayWidth(text);
    if (width <= columns)
        return std::string(text);
    const int room = std::max(columns - displayWidth(ellipsis), 0);
    while (!text.empty() && width > room) {
        const Letter letter = letterAt(text);
        width -= letter.width;
        text.remove_prefix(std::min(letter.length, text.size()));
    }
    return std::string(ellipsis) + std::string(text);
}

std::vector<std::string> wrapped(std::string_view text, int columns)
{
    const int room = std::max(columns, 2);
    std::vector<std::string> lines;
    text = trimmed(text);
    while (!text.empty()) {
        const std::size_t fitting = std::max<std::size_t>(bytesWithin(text, room), 1);
        const std::size_t end = breakBefore(text, fitting);
        lines.emplace_back(trimmed(text.substr(0, end)));
        text = trimmed(text.substr(end));
    }
    if (lines.empty())
        lines.emplace_back();
    return lines;
}

}  // namespace firstbad::core
