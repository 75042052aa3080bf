// SPDX-License-Identifier: GPL-3.0-or-later
// Finite statistics of one array: counts of each kind, the first bad place, largest finite value.
//
// One read of the memory when everything is finite, a second one only when it is not. Bits are
// judged, never values. Pure functions, any thread, no allocation.
#pragma once

#include "core/base/value_kind.h"

#include <cstdint>
#include <span>

namespace firstbad::replay {

inline constexpr std::uint64_t kNoIndex = UINT64_MAX;

struct Statistics {
    std::uint64_t nan = 0;
    std::uint64_t posInf = 0;
    std::uint64_t negInf = 0;
    std::uint64_t firstBad = kNoIndex;
    core::ValueKind firstKind = core::ValueKind::Finite;
    double maxAbs = 0.0;  ///< over finite values

    [[nodiscard]] bool finite() const noexcept { return firstBad == kNoIndex; }
};

[[nodiscard]] Statistics statisticsOf(std::span<const float> values) noexcept;
[[nodiscard]] Statistics statisticsOf(std::span<const double> values) noexcept;

/// Two-byte floats by their bits.
enum class HalfKind : std::uint8_t { Fp16, Bf16 };
[[nodiscard]] Statistics statisticsOfHalf(
    std::span<const std::uint16_t> bits, HalfKind kind) noexcept;

}  // namespace firstbad::replay
