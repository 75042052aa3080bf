// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/weights/tensor_io.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

using core::ElementType;

struct TypePair {
    ElementType element;
    at::ScalarType scalar;
    std::string_view name;
};

constexpr std::array<TypePair, 11> kTypes{{
    {ElementType::Float64, at::kDouble, "F64"},
    {ElementType::Float32, at::kFloat, "F32"},
    {ElementType::Float16, at::kHalf, "F16"},
    {ElementType::BFloat16, at::kBFloat16, "BF16"},
    {ElementType::Float8E4M3FN, at::kFloat8_e4m3fn, "F8_E4M3"},
    {ElementType::Float8E5M2, at::kFloat8_e5m2, "F8_E5M2"},
    {ElementType::Int64, at::kLong, "I64"},
    {ElementType::Int32, at::kInt, "I32"},
    {ElementType::UInt8, at::kByte, "U8"},
    {ElementType::Int8, at::kChar, "I8"},
    {ElementType::Bool, at::kBool, "BOOL"},
}};

core::Result<at::Tensor> emptyTensor(
    const std::string& name, ElementType type, const std::vector<std::int64_t>& shape)
{
    const auto scalar = scalarTypeOf(type);
    if (!scalar)
        return core::fail(core::ErrorCode::Unsupported,
            fmt::format("The tensor {} is of type {}, with which no model computes.", name,
                core::elementTypeInfo(type).name));
    try {
        return at::empty(shape, at::TensorOptions().dtype(*scalar));
    } catch (const std::exception&) {
        return core::fail(core::ErrorCode::OutOfMemory,
            fmt::format("There is no memory for the tensor {}.", name),
            "Close other programs, or set a memory bound so that weights are streamed.");
    }
}

std::span<char> bytesOf(const at::Tensor& tensor)
{
    return {static_cast<char*>(tensor.mutable_data_ptr()), tensor.nbytes()};
}

}  // namespace

std::optional<at::ScalarType> scalarTypeOf(ElementType type) noexcept
{
    for (const auto& pair : kTypes) {
        if (pair.element == type)
            return pair.scalar;
    }
    return std::nullopt;
}

std::string_view safetensorsName(at::ScalarType type) noexcept
{
    for (const auto& pair : kTypes) {
        if (pair.scalar == type)
            return pair.name;
    }
    return "F32";
}

core::Result<at::Tensor> readTensor(const core::TensorFile& file, const core::TensorEntry& entry)
{
    auto tensor = emptyTensor(entry.name, entry.type, entry.shape);
    if (!tensor)
        return tensor;
    const auto read = file.read(entry, 0, bytesOf(*tensor));
    if (!read)
        return tl::unexpected(read.error());
    return tensor;
}

core::Result<at::Tensor> tensorOfBytes(const std::string& name, ElementType type,
    const std::vector<std::int64_t>& shape, std::span<const char> bytes)
{
    auto tensor = emptyTensor(name, type, shape);
    if (!tensor)
        return tensor;
    const auto room = bytesOf(*tensor);
    if (room.size() != bytes.size())
        return core::fail(core::ErrorCode::Malformed,
            fmt::format("The tensor {} has {} bytes, its shape needs {}.", name, bytes.size(),
                room.size()));
    if (!bytes.empty())
        std::memcpy(room.data(), bytes.data(), bytes.size());
    return tensor;
}

}  // namespace firstbad::replay
