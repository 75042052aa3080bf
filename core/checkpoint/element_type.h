// SPDX-License-Identifier: GPL-3.0-or-later
// ElementType: every type of number that a checkpoint can hold, and what each format calls it.
//
// A table of plain values; any thread. Sizes are in bits because fp4 and packed integers are
// smaller than a byte. Source of the codes: PyTorch's ScalarType, the safetensors and NumPy type
// names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace firstbad::core {

enum class ElementType : std::uint8_t {
    Unknown,
    UInt8,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt16,
    UInt32,
    UInt64,
    Bool,
    Float16,
    BFloat16,
    Float32,
    Float64,
    Float8E5M2,
    Float8E4M3FN,
    Float8E5M2FNUZ,
    Float8E4M3FNUZ,
    Float8E8M0FNU,
    Float4E2M1X2,  ///< two values a byte; every pattern is finite
    Float6E2M3,
    Float6E3M2,
    Complex32,
    BComplex32,
    Complex64,
    Complex128,
    QInt8,
    QUInt8,
    QInt32,
    Packed,  ///< quint4x2, bits*, int1..7: whole bytes of packed integers, never non-finite
};

struct ElementTypeInfo {
    ElementType type = ElementType::Unknown;
    std::string_view name;  ///< PyTorch's name without "torch.", as JSON shows it: "bfloat16"
    std::string_view safetensors;  ///< "BF16"; empty when that format has no such type
    std::uint8_t bits = 0;  ///< of one element (both halves of a complex one)
    bool canBeNonFinite = false;
};

[[nodiscard]] const ElementTypeInfo& elementTypeInfo(ElementType type) noexcept;

/// Unknown when no type has that name.
[[nodiscard]] ElementType elementTypeFromTorchName(std::string_view name) noexcept;
[[nodiscard]] ElementType elementTypeFromSafetensors(std::string_view name) noexcept;

/// Bytes of `count` elements, rounded up to whole bytes; nullopt when that overflows.
[[nodiscard]] std::optional<std::uint64_t> bytesOf(ElementType type, std::uint64_t count) noexcept;

}  // namespace firstbad::core
