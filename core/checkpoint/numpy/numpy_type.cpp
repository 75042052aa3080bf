// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/numpy/numpy_type.h"

#include "core/base/number.h"

#include <array>

namespace firstbad::core {

namespace {

struct NamedType {
    std::string_view name;
    ElementType type;
};

// Kind and size as NumPy writes them; times and dates are 64-bit integers.
constexpr std::array kTypes{NamedType{"b1", ElementType::Bool}, NamedType{"?", ElementType::Bool},
    NamedType{"i1", ElementType::Int8}, NamedType{"i2", ElementType::Int16},
    NamedType{"i4", ElementType::Int32}, NamedType{"i8", ElementType::Int64},
    NamedType{"u1", ElementType::UInt8}, NamedType{"u2", ElementType::UInt16},
    NamedType{"u4", ElementType::UInt32}, NamedType{"u8", ElementType::UInt64},
    NamedType{"f2", ElementType::Float16}, NamedType{"f4", ElementType::Float32},
    NamedType{"f8", ElementType::Float64}, NamedType{"c8", ElementType::Complex64},
    NamedType{"c16", ElementType::Complex128}, NamedType{"m8", ElementType::Int64},
    NamedType{"M8", ElementType::Int64}, NamedType{"bfloat16", ElementType::BFloat16},
    NamedType{"float8_e4m3fn", ElementType::Float8E4M3FN},
    NamedType{"float8_e5m2", ElementType::Float8E5M2}};

/// Bytes of an item of a kind that holds no numbers: text, raw bytes, long double.
std::optional<std::uint64_t> otherItemBytes(char kind, std::string_view digits)
{
    const auto count = digits.empty() ? std::optional<std::int64_t>(0) : parseInteger(digits);
    constexpr std::int64_t kMost = std::int64_t{1} << 40U;
    if (!count || *count < 0 || *count > kMost)
        return std::nullopt;
    if (kind == 'U')
        return static_cast<std::uint64_t>(*count) * 4;
    if (kind == 'S' || kind == 'a' || kind == 'V' || kind == 'f' || kind == 'c')
        return static_cast<std::uint64_t>(*count);
    return std::nullopt;
}

}  // namespace

std::optional<NumpyType> numpyTypeFromDescr(std::string_view descr)
{
    NumpyType result;
    if (!descr.empty() && std::string_view("<>=|").find(descr.front()) != std::string_view::npos) {
        result.bigEndian = descr.front() == '>';
        descr.remove_prefix(1);
    }
    if (descr == "O" || descr == "O8" || descr == "O4") {
        result.isObject = true;
        return result;
    }
    // A unit follows the size of times: M8[ns].
    const std::string_view bare = descr.substr(0, descr.find('['));
    for (const NamedType& named : kTypes) {
        if (named.name != bare)
            continue;
        result.type = named.type;
        result.itemBytes = *bytesOf(named.type, 1);
        return result;
    }
    if (descr.empty())
        return std::nullopt;
    const auto bytes = otherItemBytes(descr.front(), descr.substr(1));
    if (!bytes)
        return std::nullopt;
    result.itemBytes = *bytes;
    return result;
}

}  // namespace firstbad::core
