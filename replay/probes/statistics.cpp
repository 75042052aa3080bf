// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/probes/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace firstbad::replay {

namespace {

/// Where the sign, exponent and mantissa of a type lie.
template <class Bits> struct Layout {
    Bits magnitude;  ///< everything but the sign
    Bits exponent;
};

/// Largest magnitude as bits: positive floats are ordered as their bits are.
template <class Bits> Bits largestMagnitude(const Bits* bits, std::size_t count, Bits mask) noexcept
{
    Bits largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto magnitude = static_cast<Bits>(bits[i] & mask);
        largest = magnitude > largest ? magnitude : largest;
    }
    return largest;
}

/// The slow reading, for arrays that are known to hold something bad.
template <class Bits>
Bits countKinds(
    const Bits* bits, std::size_t count, const Layout<Bits>& layout, Statistics& out) noexcept
{
    Bits largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto magnitude = static_cast<Bits>(bits[i] & layout.magnitude);
        if (magnitude < layout.exponent) {
            largest = std::max(largest, magnitude);
            continue;
        }
        auto kind = core::ValueKind::NotANumber;
        if (magnitude == layout.exponent)
            kind = magnitude == bits[i] ? core::ValueKind::PlusInfinity
                                        : core::ValueKind::MinusInfinity;
        out.nan += kind == core::ValueKind::NotANumber ? 1U : 0U;
        out.posInf += kind == core::ValueKind::PlusInfinity ? 1U : 0U;
        out.negInf += kind == core::ValueKind::MinusInfinity ? 1U : 0U;
        if (out.firstBad == kNoIndex) {
            out.firstBad = i;
            out.firstKind = kind;
        }
    }
    return largest;
}

template <class Bits, class ToDouble>
Statistics statistics(
    const Bits* bits, std::size_t count, const Layout<Bits>& layout, ToDouble toDouble) noexcept
{
    Statistics out;
    Bits largest = largestMagnitude(bits, count, layout.magnitude);
    if (largest >= layout.exponent)
        largest = countKinds(bits, count, layout, out);
    out.maxAbs = toDouble(largest);
    return out;
}

double fromFp16(std::uint16_t bits) noexcept
{
    const int exponent = bits >> 10U;
    const int mantissa = bits & 0x3FF;
    return exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
}

double fromBf16(std::uint16_t bits) noexcept
{
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U));
}

}  // namespace

Statistics statisticsOf(std::span<const float> values) noexcept
{
    return statistics(reinterpret_cast<const std::uint32_t*>(values.data()), values.size(),
        Layout<std::uint32_t>{0x7FFF'FFFFU, 0x7F80'0000U},
        [](std::uint32_t bits) { return static_cast<double>(std::bit_cast<float>(bits)); });
}

Statistics statisticsOf(std::span<const double> values) noexcept
{
    return statistics(reinterpret_cast<const std::uint64_t*>(values.data()), values.size(),
        Layout<std::uint64_t>{0x7FFF'FFFF'FFFF'FFFFU, 0x7FF0'0000'0000'0000U},
        [](std::uint64_t bits) { return std::bit_cast<double>(bits); });
}

Statistics statisticsOfHalf(std::span<const std::uint16_t> bits, HalfKind kind) noexcept
{
    const bool fp16 = kind == HalfKind::Fp16;
    const Layout<std::uint16_t> layout{0x7FFFU, static_cast<std::uint16_t>(fp16 ? 0x7C00 : 0x7F80)};
    return statistics(bits.data(), bits.size(), layout, fp16 ? fromFp16 : fromBf16);
}

}  // namespace firstbad::replay
