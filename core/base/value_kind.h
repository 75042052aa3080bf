// SPDX-License-Identifier: GPL-3.0-or-later
// classify(): the only judge of what is finite. Every other NaN/Inf question goes through it.
//
// Bit tests, no floating-point comparison; no allocation; any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "firstbad must not be built with fast-math: NaN is what it looks for"
#endif

namespace firstbad::core {

enum class ValueKind : std::uint8_t { Finite, NotANumber, PlusInfinity, MinusInfinity };

/// Classifies one value by its bits.
[[nodiscard]] constexpr ValueKind classify(double value) noexcept
{
    constexpr std::uint64_t kExponent = 0x7FF0'0000'0000'0000U;
    constexpr std::uint64_t kMantissa = 0x000F'FFFF'FFFF'FFFFU;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if ((bits & kExponent) != kExponent)
        return ValueKind::Finite;
    if ((bits & kMantissa) != 0)
        return ValueKind::NotANumber;
    return (bits >> 63U) != 0 ? ValueKind::MinusInfinity : ValueKind::PlusInfinity;
}

[[nodiscard]] constexpr bool isFinite(double value) noexcept
{
    return classify(value) == ValueKind::Finite;
}

/// "finite", "NaN", "Infinity", "-Infinity": the JSON spelling.
[[nodiscard]] std::string_view toString(ValueKind kind) noexcept;

/// Counts of the kinds, as every statistic reports them.
struct KindCounts {
    std::uint64_t finite = 0;
    std::uint64_t nan = 0;
    std::uint64_t posInf = 0;
    std::uint64_t negInf = 0;

    void add(ValueKind kind) noexcept
    {
        switch (kind) {
        case ValueKind::Finite:
            ++finite;
            break;
        case ValueKind::NotANumber:
            ++nan;
            break;
        case ValueKind::PlusInfinity:
            ++posInf;
            break;
        case ValueKind::MinusInfinity:
            ++negInf;
            break;
        }
    }
    [[nodiscard]] std::uint64_t nonfinite() const noexcept { return nan + posInf + negInf; }
    bool operator==(const KindCounts&) const = default;
};

}  // namespace firstbad::core
