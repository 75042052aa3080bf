// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number.h"

#include "core/base/text.h"
#include "core/base/value_kind.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fast_float/fast_float.h>
#include <limits>

namespace firstbad::core {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Word {
    std::string_view text;
    double value;
};

// Longest first: the first match wins.
constexpr std::array<Word, 9> kWords{{{"1.#qnan", kNan}, {"1.#snan", kNan}, {"1.#ind", kNan},
    {"1.#inf", kInfinity}, {"infinity", kInfinity}, {"nan(ind)", kNan}, {"nan(snan)", kNan},
    {"nan", kNan}, {"inf", kInfinity}}};

bool isWordCharacter(char c) noexcept
{
    return isAsciiAlpha(c) || isAsciiDigit(c) || c == '_';
}

std::optional<ParsedNumber> parseWord(std::string_view text, bool negative) noexcept
{
    for (const Word& word : kWords) {
        if (text.size() < word.text.size()
            || !equalsIgnoringCase(text.substr(0, word.text.size()), word.text))
            continue;
        if (text.size() > word.text.size() && isWordCharacter(text[word.text.size()]))
            continue;
        // Lightning's bars print "nan.0": a float format put behind the word.
        const std::string_view rest = text.substr(word.text.size());
        const bool padded
            = rest.starts_with(".0") && (rest.size() == 2 || !isWordCharacter(rest[2]));
        const std::size_t length = word.text.size() + (padded ? 2 : 0);
        return ParsedNumber{negative ? -word.value : word.value, length, false};
    }
    return std::nullopt;
}

constexpr std::array<std::uint64_t, 8> kWholePowers{
    1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000};
constexpr std::array<double, 23> kPowersOfTen{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

struct DigitRun {
    std::uint64_t value = 0;
    std::size_t length = 0;
};

/// Up to seven digits at the start of eight readable bytes, all at once: the bytes behind the
/// digits are shifted out, and zeros come in at the front. `length` 8 means that there are more.
DigitRun digitRun(const char* bytes) noexcept
{
    std::uint64_t chunk = 0;
    std::memcpy(&chunk, bytes, sizeof chunk);
    constexpr std::uint64_t kZeros = 0x3030'3030'3030'3030U;
    const std::uint64_t digits = chunk ^ kZeros;  // 0..9 in each byte that is a digit
    const std::uint64_t others
        = (digits | (digits + 0x7676'7676'7676'7676U)) & 0x8080'8080'8080'8080U;
    const auto length = static_cast<std::size_t>(std::countr_zero(others)) / 8;
    if (length == 0 || length == sizeof chunk)
        return {0, length};
    std::uint64_t value = digits << (64 - 8 * length);
    value = (value * 10) + (value >> 8U);  // pairs, then fours, then all eight
    constexpr std::uint64_t kPairs = 0x0000'00FF'0000'00FFU;
    value = (((value & kPairs) * 0x000F'4240'0000'0064U)
                + (((value >> 16U) & kPairs) * 0x0000'2710'0000'0001U))
        >> 32U;
    return {value, length};
}

/// The short decimals that logs are full of: a few digits and a small power of ten, so that one
/// multiplication or division of two exact doubles rounds as the standard asks. False: not one.
bool parseShortDecimal(std::string_view text, std::size_t sign, ParsedNumber& found) noexcept
{
    constexpr std::size_t kReadable = 2 * sizeof(std::uint64_t) + 6;
    if (std::endian::native != std::endian::little || text.size() < sign + kReadable)
        return false;
    const DigitRun whole = digitRun(text.data() + sign);
    if (whole.length == 0 || whole.length == 8)
        return false;
    std::size_t at = sign + whole.length;
    std::uint64_t mantissa = whole.value;
    int power = 0;
    if (text[at] == '.') {
        const DigitRun part = digitRun(text.data() + at + 1);
        if (part.length == 8)
            return false;
        mantissa = mantissa * kWholePowers[part.length] + part.value;
        power = -static_cast<int>(part.length);
        at += 1 + part.length;
    }
    if (text[at] == 'E' || text[at] == 'e') {
        const char mark = text[at + 1];
        if ((mark != '-' && mark != '+') || !isAsciiDigit(text[at + 2])
            || !isAsciiDigit(text[at + 3]) || isAsciiDigit(text[at + 4]))
            return false;
        const int exponent = (text[at + 2] - '0') * 10 + (text[at + 3] - '0');
        power += mark == '-' ? -exponent : exponent;
        at += 4;
    }
    constexpr int kExactPower = static_cast<int>(kPowersOfTen.size()) - 1;
    if (power < -kExactPower || power > kExactPower)
        return false;
    const auto exact = static_cast<double>(mantissa);
    const double value = power < 0 ? exact / kPowersOfTen[static_cast<std::size_t>(-power)]
                                   : exact * kPowersOfTen[static_cast<std::size_t>(power)];
    found.value = sign != 0 && text[0] == '-' ? -value : value;
    found.length = at;
    return true;
}

/// Any other number that starts with a digit or a point, by fast_float.
bool parseDecimal(std::string_view text, std::size_t sign, ParsedNumber& found) noexcept
{
    double value = 0.0;
    const char* begin = text.data() + sign;
    const auto parsed = fast_float::from_chars(begin, text.data() + text.size(), value);
    if (parsed.ptr == begin || parsed.ec == std::errc::invalid_argument)
        return false;
    found.overflowed
        = !isFinite(value);  // digits cannot spell an infinity: the decimal was too big
    found.value = sign != 0 && text[0] == '-' ? -value : value;
    found.length = static_cast<std::size_t>(parsed.ptr - text.data());
    return true;
}

}  // namespace

namespace {

std::optional<ParsedNumber> parseSpelled(std::string_view text, std::size_t sign) noexcept
{
    auto word = parseWord(text.substr(sign), sign != 0 && text[0] == '-');
    if (word)
        word->length += sign;
    return word;
}

std::optional<ParsedNumber> parseDigits(std::string_view text, std::size_t sign) noexcept
{
    // Written in place: a copy of a result just stored would wait for the stores.
    std::optional<ParsedNumber> found(std::in_place);
    if (!parseShortDecimal(text, sign, *found) && !parseDecimal(text, sign, *found))
        found.reset();
    return found;
}

}  // namespace

std::optional<ParsedNumber> parseNumberPrefix(std::string_view text) noexcept
{
    const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    if (text.size() == sign)
        return std::nullopt;
    const char first = text[sign];
    if (!isAsciiDigit(first) && first != '.')
        return parseSpelled(text, sign);
    if (text.size() > sign + 2 && text[sign + 2] == '#') {  // 1.#QNAN and its like
        if (const auto word = parseSpelled(text, sign))
            return word;
    }
    return parseDigits(text, sign);
}

std::optional<ParsedNumber> parseNumber(std::string_view text) noexcept
{
    const std::string_view body = trimmed(text);
    auto parsed = parseNumberPrefix(body);
    if (!parsed || parsed->length != body.size())
        return std::nullopt;
    return parsed;
}

namespace {

double suffixFactor(std::string_view suffix) noexcept
{
    if (suffix.size() != 1)
        return 1.0;
    switch (suffix[0]) {
    case 'K':
    case 'k':
        return 1e3;
    case 'M':
        return 1e6;
    case 'G':
    case 'B':
        return 1e9;
    case 'T':
        return 1e12;
    default:
        return 1.0;
    }
}

bool isUnit(std::string_view text) noexcept
{
    for (const char c : text) {
        if (!isAsciiAlpha(c) && c != '/' && c != '%' && c != '(' && c != ')' && c != '.'
            && !isAsciiDigit(c) && c != '-' && c != '+')
            return false;
    }
    return !text.empty() && (isAsciiAlpha(text[0]) || text[0] == '%' || text[0] == '(');
}

bool hasThousands(std::string_view body, std::size_t comma) noexcept
{
    std::size_t digits = 0;
    for (std::size_t i = comma + 1; i < body.size() && isAsciiDigit(body[i]); ++i)
        ++digits;
    return digits == 3;
}

}  // namespace

std::optional<ParsedNumber> parseLooseNumber(std::string_view text) noexcept
{
    const std::string_view body = trimmed(text);
    std::array<char, 64> digits{};
    std::size_t kept = 0;
    std::size_t at = 0;
    while (at < body.size() && kept < digits.size()) {
        const bool comma = body[at] == ',' && kept > 0 && hasThousands(body, at);
        if (!comma)
            digits[kept++] = body[at];
        ++at;
    }
    if (at < body.size())
        return parseNumber(body);
    const std::string_view compact(digits.data(), kept);
    auto parsed = parseNumberPrefix(compact);
    if (!parsed)
        return std::nullopt;
    const std::string_view rest = trimmed(compact.substr(parsed->length));
    if (!rest.empty() && !isUnit(rest))
        return std::nullopt;
    parsed->value *= suffixFactor(rest);
    parsed->length = text.size();
    return parsed;
}

std::optional<std::int64_t> parseInteger(std::string_view text) noexcept
{
    std::string_view body = trimmed(text);
    if (!body.empty() && body[0] == '+')
        body.remove_prefix(1);
    std::int64_t value = 0;
    const auto parsed = std::from_chars(body.data(), body.data() + body.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr == body.data())
        return std::nullopt;
    std::string_view rest(
        parsed.ptr, static_cast<std::size_t>(body.data() + body.size() - parsed.ptr));
    if (!rest.empty() && rest[0] == '.')
        rest = rest.substr(1, std::string_view::npos);
    for (const char c : rest) {
        if (c != '0')
            return std::nullopt;
    }
    return value;
}

}  // namespace firstbad::core
