// SPDX-License-Identifier: GPL-3.0-or-later
// tidyJson(): rewrites almost-JSON (Python reprs, JSON5, numbers beyond double) so that a JSON
// parser takes it. Used by JsonReader when the letter of the standard fails.
//
// Pure, linear in the text, no recursion; any thread.
#pragma once

#include <string>
#include <string_view>

namespace firstbad::core {

/// First byte of a string that stands for a number no JSON parser reads ("nan", "1e400").
inline constexpr char kTidiedNumberMark = '\x01';

/// Rewrites `json` into `tidied`. False when nothing had to change: the text is broken otherwise.
[[nodiscard]] bool tidyJson(std::string_view json, std::string& tidied);

}  // namespace firstbad::core
