// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays and scalars of NumPy inside pickles: their bytes lie in the pickle.
#include "core/checkpoint/torch/tensor_rebuilder.h"

#include <algorithm>

namespace firstbad::core {

namespace {

/// numpy.dtype('f4', ...) with its byte order in the state.
std::optional<NumpyType> typeOf(const PickleArena& arena, PickleRef ref)
{
    const PickleObject* dtype = arena.object(ref);
    if (dtype == nullptr || arena.global(ref).name != "dtype")
        return std::nullopt;
    const auto args = arena.items(dtype->args);
    if (args.empty())
        return std::nullopt;
    auto type = numpyTypeFromDescr(arena.text(args[0]));
    const auto state = arena.items(dtype->state);
    if (type && state.size() >= 2 && arena.text(state[1]) == ">")
        type->bigEndian = true;
    return type;
}

RebuiltTensor arrayOf(const PickleArena& arena, PickleRef bytesRef, const NumpyType& type,
    std::vector<std::int64_t> shape, bool fortran, TorchStorages& storages)
{
    RebuiltTensor rebuilt;
    rebuilt.tensor.object = "ndarray";
    rebuilt.tensor.type = type.type;
    rebuilt.tensor.shape = shape;
    if (type.type == ElementType::Unknown)
        return rebuilt;  // text and raw bytes: no numbers to scan
    const std::string_view bytes = arena.text(bytesRef);
    std::vector<std::int64_t> strides(shape.size(), 0);
    if (elementCount(shape))
        strides = denseStrides(shape, fortran);
    rebuilt.problem
        = checkView(0, shape, strides, bytes.size() / static_cast<std::size_t>(type.itemBytes));
    if (rebuilt.problem)
        return rebuilt;
    std::vector<std::int64_t> origin(shape.size(), 0);
    rebuilt.tensor.pieces.push_back({storages.addInline(bytesRef, bytes, type), 0,
        std::move(origin), std::move(shape), std::move(strides)});
    return rebuilt;
}

std::optional<std::vector<std::int64_t>> shapeOf(const PickleArena& arena, PickleRef ref)
{
    if (const auto single = arena.integer(ref))
        return std::vector<std::int64_t>{*single};
    std::vector<std::int64_t> shape;
    const auto sizes = arena.items(ref);
    for (const PickleRef size : sizes.first(std::min(sizes.size(), kMaxDimensions + 1))) {
        const auto value = arena.integer(size);
        if (!value)
            return std::nullopt;
        shape.push_back(*value);
    }
    return shape;
}

std::optional<RebuiltTensor> reconstructed(
    const PickleArena& arena, const PickleObject& object, TorchStorages& storages)
{
    const auto state = arena.items(object.state);
    if (state.size() < 5)
        return std::nullopt;
    const auto shape = shapeOf(arena, state[1]);
    const auto type = typeOf(arena, state[2]);
    if (!shape || !type)
        return std::nullopt;
    if (type->isObject || !arena.is(state[4], PickleKind::Bytes)) {
        RebuiltTensor parts;
        parts.isTensor = false;
        parts.alsoWalk.push_back(state[4]);
        return parts;
    }
    return arrayOf(arena, state[4], *type, *shape, arena.integer(state[3]) == 1, storages);
}

}  // namespace

std::optional<RebuiltTensor> rebuildNumpyValue(
    const PickleArena& arena, PickleRef ref, TorchStorages& storages)
{
    const PickleObject* object = arena.object(ref);
    const PickleGlobal& global = arena.global(ref);
    if (object == nullptr || !global.module.starts_with("numpy"))
        return std::nullopt;
    const auto args = arena.items(object->args);
    if (global.name == "_reconstruct")
        return reconstructed(arena, *object, storages);
    if (global.name == "scalar" && args.size() >= 2) {
        const auto type = typeOf(arena, args[0]);
        if (type && arena.is(args[1], PickleKind::Bytes))
            return arrayOf(arena, args[1], *type, {}, false, storages);
    }
    if (global.name == "_frombuffer" && args.size() >= 4) {
        const auto type = typeOf(arena, args[1]);
        const auto shape = shapeOf(arena, args[2]);
        if (type && shape && arena.is(args[0], PickleKind::Bytes))
            return arrayOf(arena, args[0], *type, *shape, arena.text(args[3]) == "F", storages);
    }
    return std::nullopt;
}

}  // namespace firstbad::core
