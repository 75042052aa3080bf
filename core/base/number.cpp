// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number.h"

#include "core/base/text.h"
#include "core/base/value_kind.h"

#include <array>
#include <charconv>
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
        return ParsedNumber{negative ? -word.value : word.value, word.text.size(), false};
    }
    return std::nullopt;
}

}  // namespace

std::optional<ParsedNumber> parseNumberPrefix(std::string_view text) noexcept
{
    const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    if (text.size() == sign)
        return std::nullopt;
    const bool negative = sign != 0 && text[0] == '-';
    const char first = text[sign];
    if (!isAsciiDigit(first) && first != '.') {
        auto word = parseWord(text.substr(sign), negative);
        if (word)
            word->length += sign;
        return word;
    }
    if (text.size() > sign + 2 && text[sign + 2] == '#') {  // 1.#QNAN and its like
        if (auto word = parseWord(text.substr(sign), negative)) {
            word->length += sign;
            return word;
        }
    }
    double value = 0.0;
    const char* begin = text.data() + sign;
    const auto parsed = fast_float::from_chars(begin, text.data() + text.size(), value);
    if (parsed.ptr == begin || parsed.ec == std::errc::invalid_argument)
        return std::nullopt;
    const bool overflowed
        = !isFinite(value);  // digits cannot spell an infinity: the decimal was too big
    return ParsedNumber{
        negative ? -value : value, static_cast<std::size_t>(parsed.ptr - text.data()), overflowed};
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
