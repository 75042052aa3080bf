// SPDX-License-Identifier: GPL-3.0-or-later
// Members whose absence is null in JSON: unknown texts, places that count from 1.
//
// Pure, any thread.
#pragma once

#include "core/base/json_writer.h"

#include <cstdint>
#include <string_view>

namespace firstbad::core {

/// An empty text is null.
inline void textMember(JsonWriter& json, std::string_view name, std::string_view text)
{
    json.key(name);
    if (text.empty())
        json.null();
    else
        json.value(text);
}

/// Zero is null.
inline void positiveMember(JsonWriter& json, std::string_view name, std::uint64_t number)
{
    json.key(name);
    if (number == 0)
        json.null();
    else
        json.value(number);
}

}  // namespace firstbad::core
