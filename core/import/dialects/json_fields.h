// SPDX-License-Identifier: GPL-3.0-or-later
// JsonFieldCutter: one JSON object that stands on a log line as fields, nested names joined by '.'.
//
// Accepts what Python writes (bare NaN and Infinity); values keep their spelling. Linear in the
// line, depth limited; one cutter a thread.
#pragma once

#include "core/base/json_reader.h"

#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct JsonField {
    std::string name;  ///< "data.train_loss", "step[0]"
    std::string text;  ///< strings without quotes, numbers as spelled, "true", "null"
    bool isString = false;
};

class JsonFieldCutter
{
public:
    /// False when `object` is no whole JSON object: cut off, or something else.
    [[nodiscard]] bool cut(std::string_view object, std::vector<JsonField>& fields);

private:
    class Collector;
    JsonReader m_reader;
};

/// The field of that name; nullptr when there is none.
[[nodiscard]] const JsonField* findJsonField(
    const std::vector<JsonField>& fields, std::string_view name) noexcept;

}  // namespace firstbad::core
