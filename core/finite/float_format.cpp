// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/finite/float_format.h"

#include "core/base/assert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace firstbad::core {
namespace {

using enum ElementType;

static_assert(std::endian::native == std::endian::little, "loadBits() copies little-endian bytes");

// type, bytes, mantissa, bias, signed, infinity, NaN is -0, sign, first bad, largest, normal
constexpr std::array kFormats{
    FloatFormat{Float64, 8, 52, 1023, true, true, false, 0x8000'0000'0000'0000U,
        0x7FF0'0000'0000'0000U, 0x7FEF'FFFF'FFFF'FFFFU, 0x0010'0000'0000'0000U},
    FloatFormat{Float32, 4, 23, 127, true, true, false, 0x8000'0000U, 0x7F80'0000U, 0x7F7F'FFFFU,
        0x0080'0000U},
    FloatFormat{Float16, 2, 10, 15, true, true, false, 0x8000U, 0x7C00U, 0x7BFFU, 0x0400U},
    FloatFormat{BFloat16, 2, 7, 127, true, true, false, 0x8000U, 0x7F80U, 0x7F7FU, 0x0080U},
    FloatFormat{Float8E5M2, 1, 2, 15, true, true, false, 0x80U, 0x7CU, 0x7BU, 0x04U},
    FloatFormat{Float8E4M3FN, 1, 3, 7, true, false, false, 0x80U, 0x7FU, 0x7EU, 0x08U},
    FloatFormat{Float8E5M2FNUZ, 1, 2, 16, true, false, true, 0x80U, 0x80U, 0x7FU, 0x04U},
    FloatFormat{Float8E4M3FNUZ, 1, 3, 8, true, false, true, 0x80U, 0x80U, 0x7FU, 0x08U},
    FloatFormat{Float8E8M0FNU, 1, 0, 127, false, false, false, 0x00U, 0xFFU, 0xFEU, 0x00U},
};

ElementType halfOf(ElementType type) noexcept
{
    switch (type) {
    case Complex32:
        return Float16;
    case BComplex32:
        return BFloat16;
    case Complex64:
        return Float32;
    case Complex128:
        return Float64;
    default:
        return type;
    }
}

}  // namespace

const FloatFormat* floatFormat(ElementType type) noexcept
{
    const auto* found = std::find_if(kFormats.begin(), kFormats.end(),
        [half = halfOf(type)](const FloatFormat& format) { return format.type == half; });
    return found == kFormats.end() ? nullptr : found;
}

unsigned valuesPerElement(ElementType type) noexcept
{
    return halfOf(type) == type ? 1 : 2;
}

double decodeValue(const FloatFormat& format, std::uint64_t bits) noexcept
{
    const std::uint64_t magnitude = bits & ~format.signBit;
    const double sign = (bits & format.signBit) != 0 ? -1.0 : 1.0;
    if (isBadPattern(format, bits)) {
        const bool isInfinite = format.hasInfinity && magnitude == format.firstBad;
        return isInfinite ? sign * std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
    }
    const std::uint64_t hidden = std::uint64_t{1} << format.mantissaBits;
    const std::uint64_t mantissa = magnitude & (hidden - 1);
    const int exponent = static_cast<int>(magnitude >> format.mantissaBits);
    if (magnitude < format.smallestNormal)
        return sign
            * std::ldexp(static_cast<double>(mantissa), 1 - format.bias - format.mantissaBits);
    return sign
        * std::ldexp(
            static_cast<double>(mantissa + hidden), exponent - format.bias - format.mantissaBits);
}

std::uint64_t loadBits(const FloatFormat& format, const char* bytes) noexcept
{
    FB_ASSERT(format.bytes <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes, format.bytes);
    return bits;
}

}  // namespace firstbad::core
