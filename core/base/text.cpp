// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include "core/base/value_kind.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>

namespace firstbad::core {

std::string_view trimmed(std::string_view text) noexcept
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string toLowerAscii(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        c = toLowerAscii(c);
    return lower;
}

bool equalsIgnoringCase(std::string_view a, std::string_view b) noexcept
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
        return toLowerAscii(x) == toLowerAscii(y);
    });
}

bool containsIgnoringCase(std::string_view text, std::string_view part) noexcept
{
    const auto found = std::search(text.begin(), text.end(), part.begin(), part.end(),
        [](char x, char y) { return toLowerAscii(x) == toLowerAscii(y); });
    return found != text.end() || part.empty();
}

namespace {

std::size_t sequenceLength(unsigned char lead) noexcept
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    if (lead >= 0xF0 && lead <= 0xF4)
        return 4;
    return 0;
}

bool needsEscape(std::uint32_t point) noexcept
{
    const bool control = point < 0x20 || (point >= 0x7F && point < 0xA0);
    const bool bidi = point == 0x061C || point == 0x200E || point == 0x200F
        || (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
    return control || bidi || point == 0x2028 || point == 0x2029 || point == 0xFEFF;
}

}  // namespace

CodePoint codePointAt(std::string_view text) noexcept
{
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = sequenceLength(lead);
    if (length == 0 || length > text.size())
        return {};
    if (length == 1)
        return {lead, 1};
    std::uint32_t point = lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xC0U) != 0x80U)
            return {};
        point = (point << 6U) | (next & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    if (point < kSmallest.at(length) || point > 0x10FFFF || surrogate)
        return {};
    return {point, length};
}

bool isValidUtf8(std::string_view text) noexcept
{
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint decoded = codePointAt(text.substr(at));
        if (decoded.length == 0)
            return false;
        at += decoded.length;
    }
    return true;
}

std::string toValidUtf8(std::string_view text)
{
    if (isValidUtf8(text))
        return std::string(text);
    std::string valid;
    valid.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint decoded = codePointAt(text.substr(at));
        if (decoded.length == 0)
            valid += "\xEF\xBF\xBD";
        else
            valid.append(text.substr(at, decoded.length));
        at += std::max<std::size_t>(decoded.length, 1);
    }
    return valid;
}

std::string escapedForTerminal(std::string_view text)
{
    std::string escaped;
    escaped.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint decoded = codePointAt(text.substr(at));
        if (decoded.length == 0)
            escaped += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[at]));
        else if (!needsEscape(decoded.value))
            escaped.append(text.substr(at, decoded.length));
        else if (decoded.value < 0x100)
            escaped += fmt::format("\\x{:02X}", decoded.value);
        else
            escaped += fmt::format("\\u{{{:04X}}}", decoded.value);
        at += std::max<std::size_t>(decoded.length, 1);
    }
    return escaped;
}

std::string groupedInteger(long long value)
{
    const std::string digits = fmt::format("{}", value);
    const std::size_t sign = value < 0 ? 1 : 0;
    std::string grouped;
    for (std::size_t at = 0; at < digits.size(); ++at) {
        const std::size_t left = digits.size() - at;
        if (at > sign && left % 3 == 0)
            grouped += ',';
        grouped += digits[at];
    }
    return grouped;
}

std::string shortNumber(double value, int digits)
{
    switch (classify(value)) {
    case ValueKind::NotANumber:
        return "NaN";
    case ValueKind::PlusInfinity:
        return "+Inf";
    case ValueKind::MinusInfinity:
        return "-Inf";
    case ValueKind::Finite:
        break;
    }
    constexpr double kLargestGrouped = 1e15;
    const bool whole = value < kLargestGrouped && value > -kLargestGrouped
        && static_cast<double>(static_cast<long long>(value)) == value;
    if (whole && (value >= 1000 || value <= -1000))
        return groupedInteger(static_cast<long long>(value));
    return fmt::format("{:.{}g}", value, digits);
}

std::string humanBytes(unsigned long long bytes)
{
    constexpr std::array<const char*, 6> kUnits{"B", "kB", "MB", "GB", "TB", "PB"};
    auto amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (amount >= 1000.0 && unit + 1 < kUnits.size()) {
        amount /= 1000.0;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes)
                     : fmt::format("{:.{}f} {}", amount, amount < 10 ? 1 : 0, kUnits.at(unit));
}

}  // namespace firstbad::core
