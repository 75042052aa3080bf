// SPDX-License-Identifier: GPL-3.0-or-later
// FloatFormat: which bit patterns of a floating-point type are NaN, infinite, zero, subnormal.
//
// Constant table; any thread. A complex type has the format of its halves. Non-finite patterns are
// told by an integer comparison of the magnitude, never by converting first.
#pragma once

#include "core/checkpoint/element_type.h"

#include <cstdint>

namespace firstbad::core {

struct FloatFormat {
    ElementType type = ElementType::Unknown;  ///< of one value: Float32 for Complex64
    std::uint8_t bytes = 0;  ///< of one value
    std::uint8_t mantissaBits = 0;
    std::int16_t bias = 0;
    bool isSigned = true;
    bool hasInfinity = true;
    bool nanIsMinusZero = false;  ///< the *fnuz types: only the would-be -0 is NaN
    std::uint64_t signBit = 0;  ///< 0 for unsigned types
    std::uint64_t firstBad = 0;  ///< smallest magnitude that is not finite; the infinity if any
    std::uint64_t largest = 0;  ///< magnitude of the largest finite value
    std::uint64_t smallestNormal
        = 0;  ///< magnitudes below are zero or subnormal; 0: there are none
};

/// nullptr for types that have no non-finite values.
[[nodiscard]] const FloatFormat* floatFormat(ElementType type) noexcept;

/// 2 for complex types, else 1.
[[nodiscard]] unsigned valuesPerElement(ElementType type) noexcept;

/// The value of one pattern, exactly.
[[nodiscard]] double decodeValue(const FloatFormat& format, std::uint64_t bits) noexcept;

/// The pattern at `bytes`, little-endian.
[[nodiscard]] std::uint64_t loadBits(const FloatFormat& format, const char* bytes) noexcept;

[[nodiscard]] constexpr bool isBadPattern(const FloatFormat& format, std::uint64_t bits) noexcept
{
    if (format.nanIsMinusZero)
        return bits == format.signBit;
    return (bits & ~format.signBit) >= format.firstBad;
}

}  // namespace firstbad::core
