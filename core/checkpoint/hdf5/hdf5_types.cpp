// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/hdf5/hdf5_types.h"

#include "core/base/hdf5_handle.h"

#include <array>
#include <hdf5.h>

namespace firstbad::core {
namespace {

struct FloatShape {
    std::size_t bytes;
    std::size_t exponentBits;
    std::size_t mantissaBits;
    ElementType type;
};

constexpr std::array<FloatShape, 6> kFloats{{
    {8, 11, 52, ElementType::Float64},
    {4, 8, 23, ElementType::Float32},
    {2, 5, 10, ElementType::Float16},
    {2, 8, 7, ElementType::BFloat16},
    {1, 5, 2, ElementType::Float8E5M2},
    {1, 4, 3, ElementType::Float8E4M3FN},
}};

ElementType floatType(hid_t type)
{
    std::size_t sign = 0;
    std::size_t exponentAt = 0;
    std::size_t exponentBits = 0;
    std::size_t mantissaAt = 0;
    std::size_t mantissaBits = 0;
    if (H5Tget_fields(type, &sign, &exponentAt, &exponentBits, &mantissaAt, &mantissaBits) < 0)
        return ElementType::Unknown;
    for (const FloatShape& shape : kFloats) {
        if (shape.bytes == H5Tget_size(type) && shape.exponentBits == exponentBits
            && shape.mantissaBits == mantissaBits)
            return shape.type;
    }
    return ElementType::Unknown;
}

ElementType integerType(std::size_t bytes, bool isSigned)
{
    switch (bytes) {
    case 1:
        return isSigned ? ElementType::Int8 : ElementType::UInt8;
    case 2:
        return isSigned ? ElementType::Int16 : ElementType::UInt16;
    case 4:
        return isSigned ? ElementType::Int32 : ElementType::UInt32;
    case 8:
        return isSigned ? ElementType::Int64 : ElementType::UInt64;
    default:
        return ElementType::Unknown;
    }
}

/// Two equal floats one behind the other, as h5py stores complex numbers.
Hdf5Number complexNumber(hid_t type)
{
    if (H5Tget_nmembers(type) != 2 || H5Tget_member_class(type, 0) != H5T_FLOAT
        || H5Tget_member_class(type, 1) != H5T_FLOAT)
        return {};
    const Hdf5Handle real(H5Tget_member_type(type, 0), H5Tclose);
    const Hdf5Handle imaginary(H5Tget_member_type(type, 1), H5Tclose);
    if (!real || !imaginary || H5Tequal(real.get(), imaginary.get()) <= 0)
        return {};
    const std::size_t half = H5Tget_size(real.get());
    if (H5Tget_size(type) != 2 * half || H5Tget_member_offset(type, 0) != 0
        || H5Tget_member_offset(type, 1) != half)
        return {};
    const Hdf5Number part = numberOfHdf5Type(real.get());
    switch (part.type) {
    case ElementType::Float16:
        return {ElementType::Complex32, part.bigEndian};
    case ElementType::BFloat16:
        return {ElementType::BComplex32, part.bigEndian};
    case ElementType::Float32:
        return {ElementType::Complex64, part.bigEndian};
    case ElementType::Float64:
        return {ElementType::Complex128, part.bigEndian};
    default:
        return {};
    }
}

}  // namespace

Hdf5Number numberOfHdf5Type(std::int64_t type) noexcept
{
    const bool bigEndian = H5Tget_order(type) == H5T_ORDER_BE;
    switch (H5Tget_class(type)) {
    case H5T_FLOAT:
        return {floatType(type), bigEndian};
    case H5T_INTEGER:
        return {integerType(H5Tget_size(type), H5Tget_sign(type) == H5T_SGN_2), bigEndian};
    case H5T_BITFIELD:
        return {integerType(H5Tget_size(type), false), bigEndian};
    case H5T_ENUM: {
        constexpr int kFalseAndTrue = 2;
        if (H5Tget_size(type) == 1 && H5Tget_nmembers(type) == kFalseAndTrue)
            return {ElementType::Bool, false};
        const Hdf5Handle base(H5Tget_super(type), H5Tclose);
        return base ? numberOfHdf5Type(base.get()) : Hdf5Number{};
    }
    case H5T_COMPOUND:
        return complexNumber(type);
    default:
        return {};
    }
}

}  // namespace firstbad::core
