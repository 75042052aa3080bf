// SPDX-License-Identifier: GPL-3.0-or-later
// Reads one field of a JSON line that an event quotes (shortened, so not always valid JSON).
//
// Pure; linear in the text; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace firstbad::core {

/// The text of `"name":"..."`; empty when it is absent or cut.
[[nodiscard]] std::string quotedText(std::string_view line, std::string_view name);
/// The integer of `"name":12`.
[[nodiscard]] std::optional<std::int64_t> quotedInteger(
    std::string_view line, std::string_view name);

}  // namespace firstbad::core
