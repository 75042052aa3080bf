// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pickle/text_opcodes.h"

#include <charconv>

namespace firstbad::core {

namespace {

/// `digits` hexadecimal digits at `at`; nullopt when they are not there.
std::optional<std::uint32_t> hexAt(std::string_view text, std::size_t at, std::size_t digits)
{
    if (text.size() < at + digits)
        return std::nullopt;
    std::uint32_t value = 0;
    const char* const end = text.data() + at + digits;
    const auto [stop, code] = std::from_chars(text.data() + at, end, value, 16);
    if (code != std::errc() || stop != end)
        return std::nullopt;
    return value;
}

char simpleEscape(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case '0':
        return '\0';
    default:
        return c;
    }
}

}  // namespace

void appendUtf8(std::string& text, std::uint32_t codePoint)
{
    const auto put = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (codePoint < 0x80) {
        put(codePoint);
    } else if (codePoint < 0x800) {
        put(0xC0U | (codePoint >> 6U));
        put(0x80U | (codePoint & 0x3FU));
    } else if (codePoint < 0x10000) {
        put(0xE0U | (codePoint >> 12U));
        put(0x80U | ((codePoint >> 6U) & 0x3FU));
        put(0x80U | (codePoint & 0x3FU));
    } else {
        put(0xF0U | ((codePoint >> 18U) & 0x07U));
        put(0x80U | ((codePoint >> 12U) & 0x3FU));
        put(0x80U | ((codePoint >> 6U) & 0x3FU));
        put(0x80U | (codePoint & 0x3FU));
    }
}

std::string decodeRawUnicode(std::string_view line)
{
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool escape = line[i] == '\\' && i + 1 < line.size();
        const std::size_t digits
            = !escape ? 0 : (line[i + 1] == 'u' ? 4 : (line[i + 1] == 'U' ? 8 : 0));
        const auto point = digits != 0 ? hexAt(line, i + 2, digits) : std::nullopt;
        if (point) {
            appendUtf8(text, *point);
            i += 1 + digits;
        } else {
            appendUtf8(text, static_cast<unsigned char>(line[i]));
        }
    }
    return text;
}

std::optional<std::string> decodeQuoted(std::string_view line)
{
    if (line.size() < 2 || (line.front() != '\'' && line.front() != '"')
        || line.back() != line.front())
        return std::nullopt;
    line = line.substr(1, line.size() - 2);
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\' || i + 1 == line.size()) {
            text += line[i];
            continue;
        }
        ++i;
        const auto byte = line[i] == 'x' ? hexAt(line, i + 1, 2) : std::nullopt;
        if (byte) {
            text += static_cast<char>(*byte);
            i += 2;
        } else {
            text += simpleEscape(line[i]);
        }
    }
    return text;
}

std::optional<std::string> latin1Bytes(std::string_view utf8)
{
    std::string bytes;
    bytes.reserve(utf8.size());
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const auto lead = static_cast<unsigned char>(utf8[i]);
        if (lead < 0x80) {
            bytes += utf8[i];
            continue;
        }
        if ((lead != 0xC2 && lead != 0xC3) || i + 1 == utf8.size())
            return std::nullopt;
        const auto next = static_cast<unsigned char>(utf8[++i]);
        bytes += static_cast<char>(((lead & 0x03U) << 6U) | (next & 0x3FU));
    }
    return bytes;
}

}  // namespace firstbad::core
