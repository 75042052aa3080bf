// SPDX-License-Identifier: GPL-3.0-or-later
// A Python literal as .npy headers hold it: text, whole numbers, True, False, None, tuples, lists
// and dicts. Pure; any thread; nesting is capped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct PythonLiteral {
    enum class Kind : std::uint8_t { None, Boolean, Integer, Text, Sequence, Dict };
    Kind kind = Kind::None;
    bool flag = false;
    std::int64_t integer = 0;
    std::string text;
    std::vector<PythonLiteral> items;  ///< of a Sequence; key, value, key, value of a Dict

    /// Value of a text key; nullptr when there is none.
    [[nodiscard]] const PythonLiteral* find(std::string_view key) const;
};

/// nullopt when the text is no such literal, or nests deeper than 32.
[[nodiscard]] std::optional<PythonLiteral> parsePythonLiteral(std::string_view text);

}  // namespace firstbad::core
