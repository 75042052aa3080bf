// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/text/torn_line.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>

namespace firstbad::core {
namespace {

/// Digits after the point of a number at the very end of the line; -1 when none stands there.
int lastDecimals(std::string_view line)
{
    const std::string_view body = trimmed(line);
    std::size_t digits = 0;
    while (digits < body.size() && isAsciiDigit(body[body.size() - 1 - digits]))
        ++digits;
    if (digits == 0)
        return -1;
    const std::size_t before = body.size() - digits;
    return before > 0 && body[before - 1] == '.' ? static_cast<int>(digits) : 0;
}

bool beginsLike(const std::string& shape, std::string_view whole)
{
    // The cut may lie inside a number or a word: what is left of it need not match.
    std::size_t compared = shape.size();
    while (compared > 0 && shape[compared - 1] != ' ' && shape[compared - 1] != '#')
        --compared;
    const std::size_t length = std::min(shape.size(), whole.size());
    return compared > 0 && whole.size() >= shape.size()
        && (whole.substr(0, length) == shape
            || whole.substr(0, compared) == shape.substr(0, compared));
}

}  // namespace

std::string lineShape(std::string_view line)
{
    std::string shape;
    bool afterWord = false;
    for (std::size_t at = 0; at < line.size();) {
        const auto number = afterWord ? std::nullopt : parseNumberPrefix(line.substr(at));
        if (number) {
            shape += '#';
            at += number->length;
            continue;
        }
        const char c = line[at++];
        const bool blank = isBlank(c);
        if (!blank || shape.empty() || shape.back() != ' ')
            shape += blank ? ' ' : c;
        afterWord = isAsciiAlpha(c) || c == '_' || isAsciiDigit(c);
    }
    return shape;
}

LastLine RecentLines::judgeLast(std::string_view line, bool isRecord) const
{
    const std::string shape = lineShape(line);
    bool torn = isRecord;
    for (const std::string& known : m_lines) {
        if (known.empty())
            continue;
        const std::string whole = lineShape(known);
        if (whole == shape) {
            const int decimals = lastDecimals(line);
            const int usual = lastDecimals(known);
            if (decimals < 0 || usual <= 0 || decimals >= usual)
                return LastLine::Whole;
            torn = true;
        } else if (!shape.empty() && beginsLike(shape, whole)) {
            torn = true;
        }
    }
    return torn ? LastLine::Torn : LastLine::Other;
}

}  // namespace firstbad::core
