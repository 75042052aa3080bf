// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of a safetensors header: the letter of the format, in one pass.
//
// Linear, no recursion; depth is fixed by the format. Any thread.
#pragma once

#include "core/checkpoint/safetensors/header.h"

#include <optional>
#include <string>

namespace firstbad::core {

struct HeaderJson {
    std::vector<SafetensorsEntry> entries;
    std::vector<std::pair<std::string, std::string>> metadata;
    std::vector<std::string> repeatedKeys;  ///< inside an entry, or __metadata__ itself
    std::optional<std::string> problem;  ///< why the text is no header; entries so far are kept
    std::size_t length = 0;  ///< bytes of the JSON value
};

/// Reads the value at the start of `json`; blanks behind it are the caller's business.
[[nodiscard]] HeaderJson parseHeaderJson(const std::string& json);

}  // namespace firstbad::core
