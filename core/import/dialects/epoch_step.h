// SPDX-License-Identifier: GPL-3.0-or-later
// One step number from an epoch and an index within it, for loggers that count anew every epoch.
//
// Pure function; any thread.
#pragma once

#include <cstdint>
#include <optional>

namespace firstbad::core {

/// epoch x perEpoch + index, `epoch` counted from 0; nullopt when the numbers are absurd.
[[nodiscard]] constexpr std::optional<std::int64_t> stepOfEpoch(
    std::int64_t epoch, std::int64_t perEpoch, std::int64_t index) noexcept
{
    constexpr std::int64_t kMax = 1'000'000'000;
    if (epoch < 0 || epoch > kMax || perEpoch < 0 || perEpoch > kMax || index < 0 || index > kMax)
        return std::nullopt;
    return epoch * perEpoch + index;
}

}  // namespace firstbad::core
