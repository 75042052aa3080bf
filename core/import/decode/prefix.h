// SPDX-License-Identifier: GPL-3.0-or-later
// Strips what launchers, clocks and loggers put in front of a log line, and keeps what it tells.
//
// Pure functions over the caller's bytes; no allocation; any thread. Linear in the prefix.
#pragma once

#include "core/import/record_sink.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace firstbad::core {

struct LinePrefix {
    std::optional<std::int32_t> rank;  ///< "[rank0]:", "[default3]:", "7: ", "[1,0]<stdout>:", ...
    double time = kNoTime;  ///< seconds since 1970; a clock without a zone is taken as UTC
};

/// The rest of `line` after all prefixes; fills `prefix` with the first rank and time found.
[[nodiscard]] std::string_view stripPrefixes(std::string_view line, LinePrefix& prefix) noexcept;

/// Whether a rank prefix begins exactly at `text`: "[r1] ", "[rank1]:", ...
[[nodiscard]] bool startsWithRankPrefix(std::string_view text) noexcept;

}  // namespace firstbad::core
