// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of whole numbers in JSON.
//
// Pure, any thread.
#pragma once

#include "core/base/json_writer.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace firstbad::core {

inline void writeIntegers(
    JsonWriter& json, std::string_view name, const std::vector<std::int64_t>& numbers)
{
    json.key(name);
    json.beginArray();
    for (const std::int64_t number : numbers)
        json.value(number);
    json.endArray();
}

}  // namespace firstbad::core
