// SPDX-License-Identifier: GPL-3.0-or-later
// writeList(): a member that is an array of plain values, in JSON.
//
// Pure, any thread.
#pragma once

#include "core/base/json_writer.h"

#include <string_view>

namespace firstbad::core {

/// `items` is a range of what JsonWriter::value() takes: texts, numbers, flags.
template <class Range> void writeList(JsonWriter& json, std::string_view name, const Range& items)
{
    json.key(name);
    json.beginArray();
    for (const auto& item : items)
        json.value(item);
    json.endArray();
}

}  // namespace firstbad::core
