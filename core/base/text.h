// SPDX-License-Identifier: GPL-3.0-or-later
// Small text helpers without locale: trimming, ASCII case, UTF-8 checks, escaping for terminals.
//
// Pure functions, linear in the text, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace firstbad::core {

[[nodiscard]] constexpr bool isAsciiDigit(char c) noexcept
{
    return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool isAsciiAlpha(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool isBlank(char c) noexcept
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}
[[nodiscard]] constexpr char toLowerAscii(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;
[[nodiscard]] std::string toLowerAscii(std::string_view text);
[[nodiscard]] bool equalsIgnoringCase(std::string_view a, std::string_view b) noexcept;
[[nodiscard]] bool containsIgnoringCase(std::string_view text, std::string_view part) noexcept;

/// One code point and how many bytes it takes.
struct CodePoint {
    std::uint32_t value = 0;
    std::size_t length = 0;  ///< 0: no valid UTF-8 sequence stands there
};
/// The code point at the start of a text that is not empty.
[[nodiscard]] CodePoint codePointAt(std::string_view text) noexcept;
[[nodiscard]] bool isValidUtf8(std::string_view text) noexcept;
/// Valid UTF-8: every byte that is not part of a valid sequence becomes U+FFFD.
[[nodiscard]] std::string toValidUtf8(std::string_view text);
/// Safe to print: valid UTF-8; control characters, escapes and bidi overrides become \\xNN or
/// \\u{NNNN}.
[[nodiscard]] std::string escapedForTerminal(std::string_view text);

/// "33,708": thousands by comma, whatever the locale.
[[nodiscard]] std::string groupedInteger(long long value);
/// Short decimal for people: up to `digits` significant digits; "NaN", "+Inf", "-Inf" for the
/// others.
[[nodiscard]] std::string shortNumber(double value, int digits = 6);
/// "1.8 GB", "512 B".
[[nodiscard]] std::string humanBytes(unsigned long long bytes);

}  // namespace firstbad::core
