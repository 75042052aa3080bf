// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON in `body` columns. Doubles come back bit for bit: what JSON or SQLite would change is
// written as "class:bits".
//
// Small values; one thread. A member that is absent or of another type reads as empty.
#pragma once

#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/base/value_kind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// "NaN:7ff8000000000001"; also for -0.0.
[[nodiscard]] std::string bitsText(double value);
[[nodiscard]] std::optional<double> fromBitsText(std::string_view text);

/// Writes a member whose double keeps every bit.
void putReal(JsonWriter& json, std::string_view name, double value);
void putReal(JsonWriter& json, std::string_view name, const std::optional<double>& value);

/// The document; Null when it is none (the chain tells of damage).
[[nodiscard]] JsonValue readBody(const std::string& text);

[[nodiscard]] std::string textOf(const JsonValue& object, std::string_view name);
[[nodiscard]] bool flagOf(const JsonValue& object, std::string_view name);
[[nodiscard]] std::optional<bool> optionalFlagOf(const JsonValue& object, std::string_view name);
[[nodiscard]] std::optional<std::int64_t> integerOf(const JsonValue& object, std::string_view name);
[[nodiscard]] std::optional<double> realOf(const JsonValue& object, std::string_view name);
/// Elements of an array member; empty when there is none.
[[nodiscard]] const std::vector<JsonValue>& listOf(const JsonValue& object, std::string_view name);

/// The enumerator among the first `count` whose toString() is `text`; the first when none is.
template <class Enum> [[nodiscard]] Enum enumOf(std::string_view text, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        if (toString(static_cast<Enum>(i)) == text)
            return static_cast<Enum>(i);
    return static_cast<Enum>(0);
}

}  // namespace firstbad::core
