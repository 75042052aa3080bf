// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/body.h"

#include <bit>
#include <charconv>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

bool isNegativeZero(double value) noexcept
{
    return std::bit_cast<std::uint64_t>(value) == 1ULL << 63U;
}

}  // namespace

std::string bitsText(double value)
{
    return fmt::format(
        "{}:{:016x}", toString(classify(value)), std::bit_cast<std::uint64_t>(value));
}

std::optional<double> fromBitsText(std::string_view text)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return std::nullopt;
    std::uint64_t bits = 0;
    const char* const end = text.data() + text.size();
    const auto [at, failure] = std::from_chars(text.data() + colon + 1, end, bits, 16);
    if (failure != std::errc() || at != end)
        return std::nullopt;
    return std::bit_cast<double>(bits);
}

void putReal(JsonWriter& json, std::string_view name, double value)
{
    if (isFinite(value) && !isNegativeZero(value))
        json.member(name, value);
    else
        json.member(name, bitsText(value));
}

void putReal(JsonWriter& json, std::string_view name, const std::optional<double>& value)
{
    if (value)
        putReal(json, name, *value);
}

JsonValue readBody(const std::string& text)
{
    auto document = parseJson(text);
    return document ? std::move(*document) : JsonValue{};
}

std::string textOf(const JsonValue& object, std::string_view name)
{
    const JsonValue* member = object.find(name);
    return member ? std::string(member->asText()) : std::string();
}

bool flagOf(const JsonValue& object, std::string_view name)
{
    return optionalFlagOf(object, name).value_or(false);
}

std::optional<bool> optionalFlagOf(const JsonValue& object, std::string_view name)
{
    const JsonValue* member = object.find(name);
    if (!member || member->kind != JsonValue::Kind::Boolean)
        return std::nullopt;
    return member->flag;
}

std::optional<std::int64_t> integerOf(const JsonValue& object, std::string_view name)
{
    const JsonValue* member = object.find(name);
    return member ? member->integer : std::nullopt;
}

std::optional<double> realOf(const JsonValue& object, std::string_view name)
{
    const JsonValue* member = object.find(name);
    if (!member)
        return std::nullopt;
    if (member->kind == JsonValue::Kind::Text)
        return fromBitsText(member->words);
    return member->kind == JsonValue::Kind::Number ? std::optional(member->real) : std::nullopt;
}

const std::vector<JsonValue>& listOf(const JsonValue& object, std::string_view name)
{
    static const std::vector<JsonValue> kNone;
    const JsonValue* member = object.find(name);
    return member ? member->items : kNone;
}

}  // namespace firstbad::core
