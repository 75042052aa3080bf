// SPDX-License-Identifier: GPL-3.0-or-later
// Dates as people write them in headings: 2031-02-03 04:05, 2031.02.03, "February 3, 2031".
//
// Pure functions over the caller's line; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace firstbad::core {

struct WrittenDate {
    double seconds = 0.0;  ///< since 1970, as if it were UTC
    std::size_t at = 0;  ///< where it begins
    std::size_t length = 0;
    bool hasClock = false;
};

/// The first date of the line; nullopt when it has none.
[[nodiscard]] std::optional<WrittenDate> findWrittenDate(std::string_view line);

}  // namespace firstbad::core
