// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/pair_fields.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

constexpr std::array<std::string_view, 34> kUnits{"ms", "s", "us", "m", "min", "h", "%", "x", "z",
    "K", "k", "M", "G", "T", "B", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "it/s",
    "s/it", "TFLOPS", "TFLOPs", "TFLOP/s", "tok/s", "tokens/s", "samples/s", "steps/s", "sec",
    "k/s"};
constexpr std::array<std::string_view, 7> kNoValue{"n/a", "N/A", "None", "none", "null", "-", "NA"};

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& words, std::string_view text)
{
    return std::find(words.begin(), words.end(), text) != words.end();
}

bool isQuote(char c) noexcept
{
    return c == '"' || c == '\'';
}

std::string_view firstWord(std::string_view text) noexcept
{
    std::size_t end = 0;
    while (end < text.size() && !isBlank(text[end]))
        ++end;
    return text.substr(0, end);
}

// The value alone: without quotes, trailing punctuation and a bracket glued to it.
std::string_view bareValue(std::string_view text) noexcept
{
    std::string_view word = firstWord(trimmed(text));
    if (!word.empty() && isQuote(word.front()))
        word.remove_prefix(1);
    if (const std::size_t bracket = word.find('(');
        bracket != std::string_view::npos && bracket > 0)
        word = word.substr(0, bracket);
    while (!word.empty()
        && (isQuote(word.back()) || word.back() == ',' || word.back() == ';' || word.back() == '|'
            || word.back() == ')'))
        word.remove_suffix(1);
    return word;
}

std::size_t unitStart(std::string_view word) noexcept
{
    std::size_t at = word.size();
    while (at > 0 && !isAsciiDigit(word[at - 1]) && word[at - 1] != '.')
        --at;
    return at;
}

bool startsNumber(std::string_view word) noexcept
{
    if (word.empty())
        return false;
    const bool sign = word[0] == '-' || word[0] == '+';
    if (const std::size_t at = sign ? 1 : 0; at < word.size() && isAsciiDigit(word[at]))
        return true;
    return parseNumberPrefix(word).has_value();
}

void cutWordField(std::string_view piece, PairFields& fields)
{
    piece = trimmed(piece);
    std::size_t at = 0;
    while (at < piece.size()) {
        const std::string_view word = firstWord(piece.substr(at));
        if (startsNumber(word))
            break;
        at += word.size();
        while (at < piece.size() && isBlank(piece[at]))
            ++at;
    }
    if (at >= piece.size())
        return;
    if (at > 0) {
        fields.push_back({trimmed(piece.substr(0, at)), piece.substr(at)});
        return;
    }
    const std::string_view name = trimmed(piece.substr(firstWord(piece).size()));
    if (!name.empty())
        fields.push_back({name, piece});
}

template <typename Cut>
void forEachPiece(std::string_view text, std::string_view between, Cut&& cut)
{
    while (!text.empty()) {
        const std::size_t end = text.find(between);
        cut(text.substr(0, end));
        if (end == std::string_view::npos)
            return;
        text.remove_prefix(end + between.size());
    }
}

// "(2.45)" behind a value; empty when none follows. `at` moves behind it.
std::string_view takeBracketed(std::string_view text, std::size_t& at) noexcept
{
    std::size_t open = at;
    while (open < text.size() && text[open] == ' ')
        ++open;
    if (open == at || open >= text.size() || text[open] != '(')
        return {};
    const std::size_t close = text.find(')', open);
    if (close == std::string_view::npos)
        return {};
    at = close + 1;
    return text.substr(open + 1, close - open - 1);
}

}  // namespace

void cutFields(std::string_view text, std::string_view between, char assign, PairFields& fields)
{
    forEachPiece(text, between, [&](std::string_view piece) {
        const std::size_t at = piece.find(assign);
        if (at == std::string_view::npos)
            return;
        const std::string_view name = trimmed(piece.substr(0, at));
        if (!name.empty())
            fields.push_back({name, trimmed(piece.substr(at + 1))});
    });
}

void cutWordFields(std::string_view text, std::string_view between, PairFields& fields)
{
    forEachPiece(text, between, [&](std::string_view piece) { cutWordField(piece, fields); });
}

void cutSpacedFields(std::string_view text, PairFields& fields)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t colon = text.find(':', at);
        if (colon == std::string_view::npos)
            return;
        const std::string_view name = trimmed(text.substr(at, colon - at));
        std::size_t value = colon + 1;
        while (value < text.size() && isBlank(text[value]))
            ++value;
        const std::string_view word = firstWord(text.substr(value));
        at = value + word.size();
        const std::string_view mean = takeBracketed(text, at);
        if (!name.empty())
            fields.push_back({name, word, mean});
    }
}

FieldValue readFieldValue(std::string_view text)
{
    const std::string_view word = bareValue(text);
    if (const auto plain = parseNumber(word))
        return {FieldKind::Number, plain->value};
    if (isOneOf(kNoValue, word))
        return {FieldKind::Missing};
    const std::size_t unit = unitStart(word);
    if (unit == 0) {
        // "nanms": a mean over nothing yet, printed with its unit
        const bool noMean = word.substr(0, 3) == "nan" && isOneOf(kUnits, word.substr(3));
        return {noMean ? FieldKind::Missing : FieldKind::Text};
    }
    if (unit < word.size() && !isOneOf(kUnits, word.substr(unit)))
        return {};
    if (const auto loose = parseLooseNumber(word))
        return {FieldKind::Number, loose->value};
    return {};
}

ValueShape shapeOfValue(std::string_view text)
{
    const std::string_view body = trimmed(text);
    const auto number = parseNumberPrefix(body);
    if (!number)
        return {};
    const std::string_view digits = body.substr(0, number->length);
    ValueShape shape;
    shape.trailing = body.size() - digits.size();
    shape.isWord = std::none_of(digits.begin(), digits.end(), isAsciiDigit);
    if (const std::size_t point = digits.find('.'); point != std::string_view::npos) {
        while (point + 1 + shape.decimals < digits.size()
            && isAsciiDigit(digits[point + 1 + shape.decimals]))
            ++shape.decimals;
    }
    return shape;
}

}  // namespace firstbad::core
