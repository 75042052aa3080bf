// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/controls.h"

#include "core/base/text.h"

namespace firstbad::core {
namespace {

constexpr char kEscape = '\x1B';

/// Length of the escape sequence at the start of `text`: CSI, OSC, or two characters.
std::size_t escapeLength(std::string_view text) noexcept
{
    if (text.size() < 2)
        return text.size();
    if (text[1] == '[') {
        std::size_t at = 2;
        while (at < text.size() && (text[at] < '\x40' || text[at] > '\x7E')) {
            const auto byte = static_cast<unsigned char>(text[at]);
            if (byte < 0x20 || byte > 0x3F)
                return at;  // broken sequence: what follows is text
            ++at;
        }
        return at < text.size() ? at + 1 : at;
    }
    if (text[1] == ']') {
        for (std::size_t at = 2; at < text.size(); ++at) {
            if (text[at] == '\a')
                return at + 1;
            if (text[at] == kEscape)
                return at + 1 < text.size() && text[at + 1] == '\\' ? at + 2 : at;
        }
        return text.size();
    }
    return text[1] == '(' || text[1] == ')' ? (text.size() < 3 ? text.size() : 3) : 2;
}

}  // namespace

std::size_t appendWithoutControls(std::string_view line, std::string& clean)
{
    std::size_t rubbish = 0;
    for (std::size_t at = 0; at < line.size();) {
        const char c = line[at];
        if (c == kEscape) {
            at += escapeLength(line.substr(at));
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 || isBlank(c))
            clean += c;
        else if (c == '\b' || c == '\a')
            static_cast<void>(c);
        else
            ++rubbish;
        ++at;
    }
    return rubbish;
}

}  // namespace firstbad::core
