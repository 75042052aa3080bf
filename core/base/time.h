// SPDX-License-Identifier: GPL-3.0-or-later
// Wall time as seconds since 1970 UTC in double; reading and printing of the forms that logs use.
//
// Pure functions, no locale, no time zone database; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace firstbad::core {

struct ParsedTime {
    double seconds = 0.0;  ///< since 1970-01-01T00:00:00; a text without a zone is taken as UTC
    std::size_t length = 0;  ///< bytes consumed
    bool zoned = false;
};

/// Reads a date and time at the start of `text`: 2031-02-03 04:05:06[.,123456], with T or a blank
/// between, / . or - within the date, optional Z or +hh:mm. nullopt when none stands there or a
/// field is out of range.
[[nodiscard]] std::optional<ParsedTime> parseTimePrefix(std::string_view text) noexcept;

/// "2031-02-03T04:05:06.250Z"; empty when `seconds` is not finite or outside the years 0..9999.
[[nodiscard]] std::string toIso8601(double seconds);

/// "3 h 12 min", "1 min 5 s", "0.42 s".
[[nodiscard]] std::string humanDuration(double seconds);

}  // namespace firstbad::core
