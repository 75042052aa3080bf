// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/torch/torch_types.h"

#include <array>
#include <limits>

namespace firstbad::core {

namespace {

using enum ElementType;

struct NamedClass {
    std::string_view name;
    ElementType type;
};

constexpr std::array kClasses{NamedClass{"ByteStorage", UInt8}, NamedClass{"CharStorage", Int8},
    NamedClass{"ShortStorage", Int16}, NamedClass{"IntStorage", Int32},
    NamedClass{"LongStorage", Int64}, NamedClass{"HalfStorage", Float16},
    NamedClass{"FloatStorage", Float32}, NamedClass{"DoubleStorage", Float64},
    NamedClass{"BFloat16Storage", BFloat16}, NamedClass{"BoolStorage", Bool},
    NamedClass{"ComplexFloatStorage", Complex64}, NamedClass{"ComplexDoubleStorage", Complex128},
    NamedClass{"QInt8Storage", QInt8}, NamedClass{"QUInt8Storage", QUInt8},
    NamedClass{"QInt32Storage", QInt32}, NamedClass{"QUInt4x2Storage", Packed},
    NamedClass{"QUInt2x4Storage", Packed}};

}  // namespace

std::optional<StorageClass> storageClassOf(std::string_view name)
{
    if (name == "UntypedStorage" || name == "_UntypedStorage")
        return StorageClass{UInt8, true};
    for (const NamedClass& known : kClasses) {
        if (known.name == name)
            return StorageClass{known.type, false};
    }
    return std::nullopt;
}

ElementType torchDtype(std::string_view name)
{
    if (const ElementType type = elementTypeFromTorchName(name); type != Unknown)
        return type;
    if (name == "bits16")
        return UInt16;  // never non-finite, two bytes
    const bool packed = name == "quint4x2" || name == "quint2x4" || name.starts_with("bits")
        || (name.size() <= 5 && (name.starts_with("uint") || name.starts_with("int")));
    return packed ? Packed : Unknown;
}

std::uint64_t torchElementBytes(ElementType type)
{
    return (elementTypeInfo(type).bits + 7U) / 8U;
}

std::optional<TorchStorageId> readStorageId(const PickleArena& arena, PickleRef ref)
{
    if (!arena.is(ref, PickleKind::Persistent))
        return std::nullopt;
    const auto parts = arena.items(arena.items(ref)[0]);
    if (parts.size() < 5 || arena.text(parts[0]) != "storage")
        return std::nullopt;
    const auto known = storageClassOf(arena.global(parts[1]).name);
    const auto elements = arena.integer(parts[4]);
    if (!known || !elements || *elements < 0)
        return std::nullopt;
    const std::uint64_t size = known->untyped ? 1 : torchElementBytes(known->type);
    const auto count = static_cast<std::uint64_t>(*elements);
    if (count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / size)
        return std::nullopt;
    TorchStorageId id;
    // Very old files have numbers for keys.
    const auto number = arena.integer(parts[2]);
    id.key = number ? std::to_string(*number) : std::string(arena.text(parts[2]));
    id.location = arena.text(parts[3]);
    id.storageClass = *known;
    id.bytes = count * size;
    const auto view = parts.size() > 5 ? arena.items(parts[5]) : std::span<const PickleRef>();
    if (view.size() >= 2)
        id.viewOffset = arena.integer(view[1]).value_or(0);
    if (id.key.empty() || id.viewOffset < 0)
        return std::nullopt;
    return id;
}

}  // namespace firstbad::core
