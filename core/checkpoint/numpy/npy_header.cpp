// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/numpy/npy_header.h"

#include "core/checkpoint/geometry.h"
#include "core/checkpoint/little_endian.h"
#include "core/checkpoint/numpy/python_literal.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxFields = 1000;

using Kind = PythonLiteral::Kind;

bool readShape(const PythonLiteral& literal, std::vector<std::int64_t>& shape)
{
    if (literal.kind == Kind::Integer) {
        shape.push_back(literal.integer);
        return true;
    }
    if (literal.kind != Kind::Sequence)
        return false;
    for (const PythonLiteral& item : literal.items) {
        if (item.kind != Kind::Integer)
            return false;
        shape.push_back(item.integer);
    }
    return true;
}

/// (name, descr[, shape]); the name may be (title, name).
bool readField(const PythonLiteral& literal, NpyHeader& header)
{
    if (literal.kind != Kind::Sequence || literal.items.size() < 2)
        return false;
    const PythonLiteral& name = literal.items[0];
    const bool isTitled = name.kind == Kind::Sequence && name.items.size() == 2;
    const PythonLiteral& plain = isTitled ? name.items[1] : name;
    NpyField field;
    if (plain.kind != Kind::Text || literal.items[1].kind != Kind::Text)
        return false;  // records within records are not read
    field.name = plain.text;
    const auto type = numpyTypeFromDescr(literal.items[1].text);
    if (!type || type->isObject)
        return false;
    field.type = *type;
    if (literal.items.size() > 2 && !readShape(literal.items[2], field.shape))
        return false;
    const auto count = elementCount(field.shape);
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U;
    if (!count || *count > kMostBytes || field.type.itemBytes > kMostBytes
        || (*count > 0 && field.type.itemBytes > kMostBytes / *count)
        || header.fields.size() >= kMaxFields)
        return false;
    field.offset = header.recordBytes;
    header.recordBytes += *count * field.type.itemBytes;
    if (!field.name.empty())  // an empty name is padding
        header.fields.push_back(std::move(field));
    return header.recordBytes <= kMostBytes;
}

bool readDescr(const PythonLiteral& descr, NpyHeader& header)
{
    if (descr.kind == Kind::Text) {
        const auto type = numpyTypeFromDescr(descr.text);
        if (!type)
            return false;
        header.fields.push_back({"", *type, {}, 0});
        header.recordBytes = type->itemBytes;
        return true;
    }
    return descr.kind == Kind::Sequence && !descr.items.empty()
        && std::all_of(descr.items.begin(), descr.items.end(),
            [&](const PythonLiteral& field) { return readField(field, header); });
}

}  // namespace

bool isNpyHead(std::string_view head)
{
    return head.starts_with(kMagic);
}

std::uint64_t npyDataOffset(std::string_view head)
{
    if (!isNpyHead(head) || head.size() < 12)
        return 0;
    const auto major = static_cast<unsigned char>(head[6]);
    if (major == 1)
        return 10U + littleEndian<std::uint16_t>(head, 8);
    return major == 2 || major == 3 ? 12U + std::uint64_t{littleEndian<std::uint32_t>(head, 8)} : 0;
}

Result<NpyHeader> parseNpyHeader(std::string_view header)
{
    const std::size_t start = header.size() > 6 && header[6] == 1 ? 10 : 12;
    const auto literal
        = header.size() > start ? parsePythonLiteral(header.substr(start)) : std::nullopt;
    if (!literal || literal->kind != Kind::Dict)
        return fail(ErrorCode::Malformed, "the header of the array is no Python dict");
    const PythonLiteral* descr = literal->find("descr");
    const PythonLiteral* order = literal->find("fortran_order");
    const PythonLiteral* shape = literal->find("shape");
    if (descr == nullptr || order == nullptr || shape == nullptr || order->kind != Kind::Boolean)
        return fail(ErrorCode::Malformed,
            "the header of the array lacks one of descr, fortran_order and shape");
    NpyHeader result;
    result.fortran = order->flag;
    result.dataOffset = header.size();
    if (!readShape(*shape, result.shape))
        return fail(ErrorCode::Malformed, "the shape in the header of the array is none");
    if (!readDescr(*descr, result))
        return fail(ErrorCode::Unsupported,
            fmt::format("the type of the array ({}) is not read",
                descr->kind == Kind::Text ? descr->text.substr(0, 100) : "a record"));
    return result;
}

}  // namespace firstbad::core
