// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/tensor_scalar.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <protozero/pbf_reader.hpp>

namespace firstbad::core {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

enum class DataType : std::int32_t {
    Float = 1,
    Double = 2,
    Int32 = 3,
    Uint8 = 4,
    Int16 = 5,
    Int8 = 6,
    Int64 = 9,
    Bool = 10,
    Bfloat16 = 14,
    Uint16 = 17,
    Half = 19,
    Uint32 = 22,
    Uint64 = 23,
    E5m2 = 24,
    E4m3fn = 25,
};
constexpr std::int32_t kReferenceTypes = 100;  // DT_FLOAT_REF = 101 and so on

enum class Field : protozero::pbf_tag_type {
    Dtype = 1,
    Shape = 2,
    Content = 4,
    FloatVal = 5,
    DoubleVal = 6,
    IntVal = 7,
    Int64Val = 10,
    BoolVal = 11,
    HalfVal = 13,
    Uint32Val = 16,
    Uint64Val = 17,
    Float8Val = 18,
};

/// Everything a TensorProto may say about its first element.
struct Parts {
    DataType dtype{};
    bool rankZero = true;
    std::string_view content;
    std::optional<double> floating;  // float_val or double_val
    std::optional<std::int64_t> integer;  // the integer lists and the bits of half_val
    std::optional<std::uint64_t> wide;  // uint64_val
    std::string_view float8;
};

std::string_view text(protozero::data_view view)
{
    return {view.data(), view.size()};
}

bool isRankZero(std::string_view shapeProto)
{
    constexpr protozero::pbf_tag_type kDim = 2;
    constexpr protozero::pbf_tag_type kUnknownRank = 3;
    pbf_reader shape(shapeProto.data(), shapeProto.size());
    bool rankZero = true;
    while (shape.next()) {
        rankZero = rankZero && shape.tag() != kDim && shape.tag() != kUnknownRank;
        shape.skip();
    }
    return rankZero;
}

/// First element of a repeated varint field, packed or not.
std::optional<std::uint64_t> firstVarint(pbf_reader& reader)
{
    if (reader.wire_type() == pbf_wire_type::varint)
        return reader.get_uint64();
    if (reader.wire_type() == pbf_wire_type::length_delimited) {
        const auto packed = reader.get_packed_uint64();
        return packed.empty() ? std::nullopt : std::optional<std::uint64_t>(*packed.begin());
    }
    reader.skip();
    return std::nullopt;
}

template <class T> std::optional<double> firstFixed(pbf_reader& reader, pbf_wire_type single)
{
    T value{};
    if (reader.wire_type() == single) {
        if constexpr (sizeof(T) == 4)
            return static_cast<double>(reader.get_float());
        else
            return reader.get_double();
    }
    if (reader.wire_type() != pbf_wire_type::length_delimited) {
        reader.skip();
        return std::nullopt;
    }
    const auto packed = reader.get_view();
    if (packed.size() < sizeof(T))
        return std::nullopt;
    std::memcpy(&value, packed.data(), sizeof value);
    return static_cast<double>(value);
}

std::string_view bytesOrSkip(pbf_reader& reader)
{
    if (reader.wire_type() == pbf_wire_type::length_delimited)
        return text(reader.get_view());
    reader.skip();
    return {};
}

Parts readParts(std::string_view tensorProto)
{
    Parts parts;
    const auto keepInteger = [&parts](std::optional<std::uint64_t> value) {
        if (value && !parts.integer)
            parts.integer = static_cast<std::int64_t>(*value);
    };
    pbf_reader reader(tensorProto.data(), tensorProto.size());
    while (reader.next()) {
        switch (static_cast<Field>(reader.tag())) {
        case Field::Dtype:
            parts.dtype = static_cast<DataType>(
                static_cast<std::int32_t>(firstVarint(reader).value_or(0)) % kReferenceTypes);
            break;
        case Field::Shape:
            parts.rankZero = isRankZero(bytesOrSkip(reader));
            break;
        case Field::Content:
            parts.content = bytesOrSkip(reader);
            break;
        case Field::FloatVal:
            if (const auto value = firstFixed<float>(reader, pbf_wire_type::fixed32);
                value && !parts.floating)
                parts.floating = value;
            break;
        case Field::DoubleVal:
            if (const auto value = firstFixed<double>(reader, pbf_wire_type::fixed64);
                value && !parts.floating)
                parts.floating = value;
            break;
        case Field::IntVal:
        case Field::Int64Val:
        case Field::BoolVal:
        case Field::HalfVal:
        case Field::Uint32Val:
            keepInteger(firstVarint(reader));
            break;
        case Field::Uint64Val:
            if (const auto value = firstVarint(reader); value && !parts.wide)
                parts.wide = value;
            break;
        case Field::Float8Val:
            parts.float8 = bytesOrSkip(reader);
            break;
        default:
            reader.skip();
        }
    }
    return parts;
}

template <class T> std::optional<T> element(const Parts& parts)
{
    if (parts.content.size() != sizeof(T))
        return std::nullopt;
    T value{};
    std::memcpy(&value, parts.content.data(), sizeof value);
    return value;
}

/// The element of an integer type: raw content, else the first of the list, else 0 as in
/// TensorFlow.
template <class T> std::optional<double> integerValue(const Parts& parts)
{
    if (!parts.content.empty()) {
        const auto raw = element<T>(parts);
        return raw ? std::optional<double>(static_cast<double>(*raw)) : std::nullopt;
    }
    return static_cast<double>(static_cast<T>(parts.integer.value_or(0)));
}

template <class T> std::optional<double> floatingValue(const Parts& parts)
{
    if (!parts.content.empty()) {
        const auto raw = element<T>(parts);
        return raw ? std::optional<double>(static_cast<double>(*raw)) : std::nullopt;
    }
    return parts.floating.value_or(0.0);
}

std::optional<double> halfValue(const Parts& parts, double (*widen)(std::uint16_t) noexcept)
{
    if (!parts.content.empty()) {
        const auto raw = element<std::uint16_t>(parts);
        return raw ? std::optional<double>(widen(*raw)) : std::nullopt;
    }
    return widen(static_cast<std::uint16_t>(parts.integer.value_or(0)));
}

std::optional<double> float8Value(const Parts& parts, double (*widen)(std::uint8_t) noexcept)
{
    const auto bytes = parts.content.empty() ? parts.float8 : parts.content;
    if (bytes.size() > 1)
        return std::nullopt;
    return widen(bytes.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(bytes.front()));
}

std::optional<double> valueOf(const Parts& parts)
{
    switch (parts.dtype) {
    case DataType::Float:
        return floatingValue<float>(parts);
    case DataType::Double:
        return floatingValue<double>(parts);
    case DataType::Int32:
        return integerValue<std::int32_t>(parts);
    case DataType::Uint8:
    case DataType::Bool:
        return integerValue<std::uint8_t>(parts);
    case DataType::Int16:
        return integerValue<std::int16_t>(parts);
    case DataType::Int8:
        return integerValue<std::int8_t>(parts);
    case DataType::Int64:
        return integerValue<std::int64_t>(parts);
    case DataType::Uint16:
        return integerValue<std::uint16_t>(parts);
    case DataType::Uint32:
        return integerValue<std::uint32_t>(parts);
    case DataType::Uint64:
        return parts.content.empty()
            ? std::optional<double>(static_cast<double>(parts.wide.value_or(0)))
            : integerValue<std::uint64_t>(parts);
    case DataType::Bfloat16:
        return halfValue(parts, doubleFromBfloat16);
    case DataType::Half:
        return halfValue(parts, doubleFromHalf);
    case DataType::E5m2:
        return float8Value(parts, doubleFromE5m2);
    case DataType::E4m3fn:
        return float8Value(parts, doubleFromE4m3fn);
    }
    return std::nullopt;
}

/// Widens a small IEEE-like float; `mantissaBits` and `bias` say which.
double widen(std::uint32_t exponent, std::uint32_t mantissa, int mantissaBits, int bias)
{
    if (exponent == 0)
        return std::ldexp(static_cast<double>(mantissa), 1 - bias - mantissaBits);
    const auto significand
        = static_cast<double>(mantissa | (1U << static_cast<unsigned>(mantissaBits)));
    return std::ldexp(significand, static_cast<int>(exponent) - bias - mantissaBits);
}

}  // namespace

TensorScalar readTensorScalar(std::string_view tensorProto)
{
    const Parts parts = readParts(tensorProto);
    if (!parts.rankZero)
        return {TensorForm::NotRankZero, 0.0};
    const auto value = valueOf(parts);
    return value ? TensorScalar{TensorForm::Scalar, *value} : TensorScalar{};
}

double doubleFromHalf(std::uint16_t bits) noexcept
{
    const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
    const std::uint32_t mantissa = bits & 0x3FFU;
    const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
    if (exponent == 0x1FU) {
        return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                             : sign * std::numeric_limits<double>::infinity();
    }
    return sign * widen(exponent, mantissa, 10, 15);
}

double doubleFromBfloat16(std::uint16_t bits) noexcept
{
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U));
}

double doubleFromE5m2(std::uint8_t bits) noexcept
{
    return doubleFromHalf(static_cast<std::uint16_t>(bits << 8U));  // the upper byte of a half
}

double doubleFromE4m3fn(std::uint8_t bits) noexcept
{
    if ((bits & 0x7FU) == 0x7FU)  // no infinities; one NaN of each sign
        return std::numeric_limits<double>::quiet_NaN();
    const double sign = (bits & 0x80U) != 0 ? -1.0 : 1.0;
    return sign * widen((bits >> 3U) & 0xFU, bits & 0x7U, 3, 7);
}

}  // namespace firstbad::core
