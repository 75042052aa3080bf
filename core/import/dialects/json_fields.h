// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts one JSON object that stands on a log line into fields, nested names joined by '.'.
//
// Accepts what Python writes: bare NaN and Infinity. Values keep their written text. Linear, depth
// limited, no exceptions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct JsonField {
    std::string name;  ///< "data.train_loss", "step[0]"
    std::string_view text;  ///< as written, without quotes; escapes are left alone
    bool isString = false;
};

/// False when `object` is no whole JSON object: cut off, or something else. `fields` then holds
/// what stood before the fault.
[[nodiscard]] bool cutJsonFields(std::string_view object, std::vector<JsonField>& fields);

/// The field of that name; nullptr when there is none.
[[nodiscard]] const JsonField* findJsonField(
    const std::vector<JsonField>& fields, std::string_view name) noexcept;

}  // namespace firstbad::core
