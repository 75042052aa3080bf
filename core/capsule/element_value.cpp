// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capsule/element_value.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace firstbad::core {
namespace {

template <class T> T load(const char* bytes) noexcept
{
    static_assert(std::endian::native == std::endian::little);
    T value{};
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/// Layout of a small floating type. `infinities`: the highest exponent means Inf and NaN.
struct SmallFloat {
    unsigned exponentBits;
    unsigned mantissaBits;
    bool infinities;
};

double decode(std::uint32_t bits, const SmallFloat& layout) noexcept
{
    const std::uint32_t mantissa = bits & ((1U << layout.mantissaBits) - 1U);
    const std::uint32_t highest = (1U << layout.exponentBits) - 1U;
    const std::uint32_t exponent = (bits >> layout.mantissaBits) & highest;
    const bool negative = ((bits >> (layout.mantissaBits + layout.exponentBits)) & 1U) != 0;
    const int bias = static_cast<int>(highest >> 1U);
    double value = 0.0;
    if (exponent == highest && layout.infinities)
        value = mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                              : std::numeric_limits<double>::infinity();
    else if (exponent == highest && mantissa == (1U << layout.mantissaBits) - 1U)
        value = std::numeric_limits<double>::quiet_NaN();  // E4M3FN has one NaN and no infinity
    else if (exponent == 0)
        value = std::ldexp(mantissa, 1 - bias - static_cast<int>(layout.mantissaBits));
    else
        value = std::ldexp((1U << layout.mantissaBits) | mantissa,
            static_cast<int>(exponent) - bias - static_cast<int>(layout.mantissaBits));
    return negative ? -value : value;
}

constexpr SmallFloat kHalf{5, 10, true};
constexpr SmallFloat kE5M2{5, 2, true};
constexpr SmallFloat kE4M3{4, 3, false};

}  // namespace

std::optional<std::int64_t> integerElement(ElementType type, const char* bytes) noexcept
{
    switch (type) {
    case ElementType::UInt8:
        return load<std::uint8_t>(bytes);
    case ElementType::Int8:
        return load<std::int8_t>(bytes);
    case ElementType::Bool:
        return load<std::uint8_t>(bytes) != 0 ? 1 : 0;
    case ElementType::Int16:
        return load<std::int16_t>(bytes);
    case ElementType::UInt16:
        return load<std::uint16_t>(bytes);
    case ElementType::Int32:
        return load<std::int32_t>(bytes);
    case ElementType::UInt32:
        return load<std::uint32_t>(bytes);
    case ElementType::Int64:
        return load<std::int64_t>(bytes);
    case ElementType::UInt64: {
        constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
        const auto value = load<std::uint64_t>(bytes);
        return value > static_cast<std::uint64_t>(kMax) ? kMax : static_cast<std::int64_t>(value);
    }
    default:
        return std::nullopt;
    }
}

std::optional<double> elementValue(ElementType type, const char* bytes) noexcept
{
    switch (type) {
    case ElementType::Float64:
        return load<double>(bytes);
    case ElementType::Float32:
        return static_cast<double>(load<float>(bytes));
    case ElementType::BFloat16:
        return static_cast<double>(
            std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(bytes)} << 16U));
    case ElementType::Float16:
        return decode(load<std::uint16_t>(bytes), kHalf);
    case ElementType::Float8E5M2:
        return decode(load<std::uint8_t>(bytes), kE5M2);
    case ElementType::Float8E4M3FN:
        return decode(load<std::uint8_t>(bytes), kE4M3);
    default:
        if (const auto integer = integerElement(type, bytes))
            return static_cast<double>(*integer);
        return std::nullopt;
    }
}

std::optional<double> exactIntegersUpTo(ElementType type) noexcept
{
    switch (type) {
    case ElementType::Float64:
        return 9007199254740992.0;
    case ElementType::Float32:
        return 16777216.0;
    case ElementType::Float16:
        return 2048.0;
    case ElementType::BFloat16:
        return 256.0;
    case ElementType::Float8E4M3FN:
        return 16.0;
    case ElementType::Float8E5M2:
        return 8.0;
    default:
        return std::nullopt;
    }
}

}  // namespace firstbad::core
