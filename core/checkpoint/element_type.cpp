// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/element_type.h"

#include <array>
#include <cstddef>
#include <limits>

namespace firstbad::core {

namespace {

using enum ElementType;

// In the order of the enum: elementTypeInfo() indexes it.
constexpr std::array kTypes{
    ElementTypeInfo{Unknown, "unknown", "", 8, false},
    ElementTypeInfo{UInt8, "uint8", "U8", 8, false},
    ElementTypeInfo{Int8, "int8", "I8", 8, false},
    ElementTypeInfo{Int16, "int16", "I16", 16, false},
    ElementTypeInfo{Int32, "int32", "I32", 32, false},
    ElementTypeInfo{Int64, "int64", "I64", 64, false},
    ElementTypeInfo{UInt16, "uint16", "U16", 16, false},
    ElementTypeInfo{UInt32, "uint32", "U32", 32, false},
    ElementTypeInfo{UInt64, "uint64", "U64", 64, false},
    ElementTypeInfo{Bool, "bool", "BOOL", 8, false},
    ElementTypeInfo{Float16, "float16", "F16", 16, true},
    ElementTypeInfo{BFloat16, "bfloat16", "BF16", 16, true},
    ElementTypeInfo{Float32, "float32", "F32", 32, true},
    ElementTypeInfo{Float64, "float64", "F64", 64, true},
    ElementTypeInfo{Float8E5M2, "float8_e5m2", "F8_E5M2", 8, true},
    ElementTypeInfo{Float8E4M3FN, "float8_e4m3fn", "F8_E4M3", 8, true},
    ElementTypeInfo{Float8E5M2FNUZ, "float8_e5m2fnuz", "F8_E5M2FNUZ", 8, true},
    ElementTypeInfo{Float8E4M3FNUZ, "float8_e4m3fnuz", "F8_E4M3FNUZ", 8, true},
    ElementTypeInfo{Float8E8M0FNU, "float8_e8m0fnu", "F8_E8M0", 8, true},
    ElementTypeInfo{Float4E2M1X2, "float4_e2m1fn_x2", "F4", 4, false},
    ElementTypeInfo{Float6E2M3, "float6_e2m3fn", "F6_E2M3", 6, false},
    ElementTypeInfo{Float6E3M2, "float6_e3m2fn", "F6_E3M2", 6, false},
    ElementTypeInfo{Complex32, "complex32", "", 32, true},
    ElementTypeInfo{BComplex32, "bcomplex32", "", 32, true},
    ElementTypeInfo{Complex64, "complex64", "C64", 64, true},
    ElementTypeInfo{Complex128, "complex128", "", 128, true},
    ElementTypeInfo{QInt8, "qint8", "", 8, false},
    ElementTypeInfo{QUInt8, "quint8", "", 8, false},
    ElementTypeInfo{QInt32, "qint32", "", 32, false},
    ElementTypeInfo{Packed, "packed", "", 8, false},
};

static_assert(kTypes.size() == static_cast<std::size_t>(Packed) + 1);

}  // namespace

const ElementTypeInfo& elementTypeInfo(ElementType type) noexcept
{
    return kTypes.at(static_cast<std::size_t>(type));
}

ElementType elementTypeFromTorchName(std::string_view name) noexcept
{
    for (const ElementTypeInfo& info : kTypes) {
        if (info.name == name)
            return info.type;
    }
    return Unknown;
}

ElementType elementTypeFromSafetensors(std::string_view name) noexcept
{
    for (const ElementTypeInfo& info : kTypes) {
        if (!info.safetensors.empty() && info.safetensors == name)
            return info.type;
    }
    return Unknown;
}

std::optional<std::uint64_t> bytesOf(ElementType type, std::uint64_t count) noexcept
{
    const std::uint64_t bits = elementTypeInfo(type).bits;
    if (count > (std::numeric_limits<std::uint64_t>::max() - 7) / bits)
        return std::nullopt;
    return (count * bits + 7) / 8;
}

}  // namespace firstbad::core
