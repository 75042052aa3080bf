// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/torch/tensor_rebuilder.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace firstbad::core {

namespace {

constexpr int kMaxDepth = 16;  // wrappers around wrappers
constexpr std::int64_t kFar = std::int64_t{1} << 62U;  // beyond any storage

RebuiltTensor refusedTensor(std::string error, std::string text)
{
    RebuiltTensor rebuilt;
    rebuilt.problem = ViewProblem{std::move(error), std::move(text)};
    return rebuilt;
}

}  // namespace

TensorRebuilder::Function TensorRebuilder::functionFor(const PickleGlobal& global)
{
    using R = TensorRebuilder;
    struct Entry {
        std::string_view name;
        Function function;
    };
    static constexpr std::array kFunctions{
        Entry{"_rebuild_tensor", &R::plainTensor},
        Entry{"_rebuild_tensor_v2", &R::plainTensor},
        Entry{"_rebuild_tensor_v3", &R::typedTensor},
        Entry{"_rebuild_parameter", &R::parameter},
        Entry{"_rebuild_parameter_with_state", &R::parameterWithState},
        Entry{"_rebuild_sparse_tensor", &R::sparseTensor},
        Entry{"_rebuild_sparse_csr_tensor", &R::sparseTensor},
        Entry{"_rebuild_qtensor", &R::quantizedTensor},
        Entry{"_rebuild_meta_tensor_no_storage", &R::metaTensor},
        Entry{"_rebuild_wrapper_subclass", &R::wrapperSubclass},
        Entry{"_rebuild_from_type", &R::fromType},
        Entry{"_rebuild_from_type_v2", &R::fromType},
        Entry{"_rebuild_device_tensor_from_numpy", &R::firstArgument},
        Entry{"_rebuild_device_tensor_from_cpu_tensor", &R::firstArgument},
        Entry{"_rebuild_xla_tensor", &R::firstArgument},
        Entry{"_rebuild_nested_tensor", &R::nestedTensor},
    };
    if (!global.module.starts_with("torch"))
        return nullptr;
    for (const Entry& entry : kFunctions) {
        if (entry.name == global.name)
            return entry.function;
    }
    return nullptr;
}

std::optional<RebuiltTensor> TensorRebuilder::rebuild(PickleRef ref, int depth)
{
    const PickleObject* object = m_arena.object(ref);
    if (object == nullptr)
        return std::nullopt;
    auto rebuilt = apply(m_arena.global(ref), m_arena.items(object->args), depth);
    // BUILD on a tensor sets its attributes; on an array it is the array.
    if (!rebuilt)
        return rebuildNumpyValue(m_arena, ref, m_storages);
    if (object->state != kNoValue)
        rebuilt->alsoWalk.push_back(object->state);
    return rebuilt;
}

std::optional<RebuiltTensor> TensorRebuilder::apply(
    const PickleGlobal& global, Args args, int depth)
{
    const Function function = functionFor(global);
    if (function == nullptr)
        return std::nullopt;
    if (depth > kMaxDepth)
        return refusedTensor(
            "nesting-limit", fmt::format("is wrapped more than {} times", kMaxDepth));
    return (this->*function)(args, depth + 1);
}

std::optional<std::vector<std::int64_t>> TensorRebuilder::integers(PickleRef ref) const
{
    if (!m_arena.is(ref, PickleKind::Tuple) && !m_arena.is(ref, PickleKind::List))
        return std::nullopt;
    const auto items = m_arena.items(ref);
    std::vector<std::int64_t> values;
    for (const PickleRef item : items.first(std::min(items.size(), kMaxDimensions + 1))) {
        if (const auto value = m_arena.integer(item))
            values.push_back(*value);
        else if (m_arena.is(item, PickleKind::BigInt))
            values.push_back(*m_arena.number(item) < 0 ? -1 : kFar);
        else
            return std::nullopt;
    }
    return values;
}

ElementType TensorRebuilder::dtypeOf(PickleRef ref) const
{
    if (!m_arena.is(ref, PickleKind::Global))
        return ElementType::Unknown;
    return torchDtype(m_arena.global(ref).name);
}

std::optional<std::uint32_t> TensorRebuilder::storageOf(
    PickleRef ref, ElementType& type, bool& isMeta, std::int64_t& viewOffset)
{
    if (m_arena.is(ref, PickleKind::Object))
        return storageInBytes(ref, type);
    const auto id = readStorageId(m_arena, ref);
    if (!id)
        return std::nullopt;
    if (type == ElementType::Unknown)
        type = id->storageClass.type;
    isMeta = id->location == "meta";
    viewOffset = id->viewOffset;
    return isMeta ? 0 : m_storages.resolve(*id, ref);
}

/// A storage that was pickled by itself, as a whole torch file in a text of bytes.
std::optional<std::uint32_t> TensorRebuilder::storageInBytes(PickleRef call, ElementType& type)
{
    const PickleGlobal& global = m_arena.global(call);
    const auto args = m_arena.items(m_arena.object(call)->args);
    if (global.module != "torch.storage" || global.name != "_load_from_bytes" || args.empty()
        || !m_arena.is(args[0], PickleKind::Bytes) || m_options.nesting >= kMaxTorchNesting)
        return std::nullopt;
    const auto [found, isNew] = m_inBytes.emplace(args[0], std::nullopt);
    if (isNew)
        found->second = readStorageInBytes(args[0]);
    if (found->second && type == ElementType::Unknown)
        type = m_storages.part().storages[*found->second].type;
    return found->second;
}

std::optional<std::uint32_t> TensorRebuilder::readStorageInBytes(PickleRef bytes)
{
    TorchFileOptions options = m_options;
    options.nesting += 1;
    options.wantDocument = true;
    auto nested = readTorchFile(
        ByteSource::ofMemory(std::make_shared<const std::string>(m_arena.text(bytes))), options,
        m_job);
    if (!nested || nested->part.storages.empty()
        || !readStorageId(nested->document.arena, nested->document.root))
        return std::nullopt;
    Checkpoint& part = m_storages.part();
    part.storages.push_back(std::move(nested->part.storages.front()));
    return static_cast<std::uint32_t>(part.storages.size() - 1);
}

/// find() in states of a usual size: a file can set one huge dict as the state of every object.
PickleRef TensorRebuilder::stateEntry(PickleRef state, std::string_view key) const
{
    constexpr std::size_t kMostNumbers = 512;
    if (m_arena.is(state, PickleKind::Dict) && m_arena.pairs(state).size() <= kMostNumbers)
        return m_arena.find(state, key);
    // (dict, dict of slots), either of them None.
    const auto parts = m_arena.is(state, PickleKind::Tuple) ? m_arena.items(state)
                                                            : std::span<const PickleRef>();
    for (const PickleRef part : parts.first(std::min<std::size_t>(parts.size(), 2))) {
        if (!m_arena.is(part, PickleKind::Dict) || m_arena.pairs(part).size() > kMostNumbers)
            continue;
        if (const PickleRef found = m_arena.find(part, key); found != kNoValue)
            return found;
    }
    return kNoValue;
}

RebuiltTensor TensorRebuilder::view(PickleRef storageRef, Args offsetSizeStride, ElementType type)
{
    const auto offset = m_arena.integer(offsetSizeStride[0]);
    auto sizes = integers(offsetSizeStride[1]);
    auto strides = integers(offsetSizeStride[2]);
    bool isMeta = false;
    std::int64_t viewOffset = 0;
    const auto storage = storageOf(storageRef, type, isMeta, viewOffset);
    if (!storage)
        return refusedTensor(
            "bad-persistent-id", "names its storage in a way that PyTorch does not");
    if (!offset || !sizes || !strides)
        return refusedTensor("bad-header", "has a size, stride or offset that is no whole number");
    if (type == ElementType::Unknown)
        return refusedTensor("unknown-dtype", "has a type that is not known");
    const std::int64_t start = *offset > kFar - viewOffset ? kFar : *offset + viewOffset;
    const std::uint64_t elements = isMeta
        ? std::numeric_limits<std::uint64_t>::max()
        : m_storages.part().storages[*storage].declaredBytes / torchElementBytes(type);
    RebuiltTensor rebuilt;
    rebuilt.tensor.type = type;
    rebuilt.tensor.shape = *sizes;
    rebuilt.problem = checkView(start, *sizes, *strides, elements);
    if (isMeta) {
        rebuilt.tensor.object = "meta";
        rebuilt.kind = TensorKind::Other;
        return rebuilt;
    }
    std::vector<std::int64_t> origin(sizes->size(), 0);
    rebuilt.tensor.pieces.push_back(
        {*storage, start, std::move(origin), std::move(*sizes), std::move(*strides)});
    return rebuilt;
}

std::optional<RebuiltTensor> TensorRebuilder::plainTensor(Args args, int /*depth*/)
{
    if (args.size() < 4)
        return refusedTensor("bad-header", "is rebuilt from too few arguments");
    RebuiltTensor rebuilt = view(args[0], args.subspan(1, 3), ElementType::Unknown);
    addMetadata(args, 6, rebuilt);
    return rebuilt;
}

/// The optional dict behind the arguments says how the bytes are meant.
void TensorRebuilder::addMetadata(Args args, std::size_t at, RebuiltTensor& rebuilt) const
{
    if (args.size() <= at)
        return;
    const auto isSet
        = [&](std::string_view key) { return m_arena.integer(stateEntry(args[at], key)) == 1; };
    rebuilt.tensor.conjugate = isSet("conj");
    rebuilt.tensor.negative = isSet("neg");
}

std::optional<RebuiltTensor> TensorRebuilder::typedTensor(Args args, int /*depth*/)
{
    if (args.size() < 7)
        return refusedTensor("bad-header", "is rebuilt from too few arguments");
    const ElementType type = dtypeOf(args[6]);
    if (type == ElementType::Unknown)
        return refusedTensor("unknown-dtype",
            fmt::format("has the type {}, which is not known", m_arena.global(args[6]).name));
    RebuiltTensor rebuilt = view(args[0], args.subspan(1, 3), type);
    addMetadata(args, 7, rebuilt);
    return rebuilt;
}

std::optional<RebuiltTensor> TensorRebuilder::parameter(Args args, int depth)
{
    return firstArgument(args, depth);
}

std::optional<RebuiltTensor> TensorRebuilder::parameterWithState(Args args, int depth)
{
    auto rebuilt = firstArgument(args, depth);
    if (rebuilt && args.size() >= 4)
        rebuilt->alsoWalk.push_back(args[3]);
    return rebuilt;
}

std::optional<RebuiltTensor> TensorRebuilder::firstArgument(Args args, int depth)
{
    if (args.empty())
        return std::nullopt;
    return rebuild(args[0], depth);
}

std::optional<RebuiltTensor> TensorRebuilder::sparseTensor(Args args, int depth)
{
    if (args.size() < 2)
        return std::nullopt;
    const PickleObject* layout = m_arena.object(args[0]);
    const auto layoutArgs
        = layout != nullptr ? m_arena.items(layout->args) : std::span<const PickleRef>();
    std::string_view name
        = layoutArgs.empty() ? m_arena.text(args[0]) : m_arena.text(layoutArgs[0]);
    if (name.starts_with("torch."))
        name.remove_prefix(6);
    const std::size_t valuesAt = name.empty() || name == "sparse_coo" ? 1 : 2;
    const auto data = m_arena.items(args[1]);
    if (data.size() < valuesAt + 2)
        return std::nullopt;
    auto rebuilt = rebuild(data[valuesAt], depth);
    const auto shape = integers(data[valuesAt + 1]);
    if (!rebuilt || !shape)
        return refusedTensor("bad-header", "is a sparse tensor without values or size");
    if (!elementCount(*shape) && !rebuilt->problem)
        rebuilt->problem = ViewProblem{"size-overflow", "has a size that no tensor can have"};
    rebuilt->tensor.shape = *shape;
    rebuilt->tensor.object = name.empty() ? "sparse_coo" : std::string(name);
    rebuilt->tensor.valuesOnly = true;
    return rebuilt;
}

std::optional<RebuiltTensor> TensorRebuilder::quantizedTensor(Args args, int depth)
{
    if (args.size() < 5)
        return refusedTensor("bad-header", "is rebuilt from too few arguments");
    RebuiltTensor rebuilt = view(args[0], args.subspan(1, 3), ElementType::Unknown);
    rebuilt.tensor.object = "quantized";
    const auto parameters = m_arena.items(args[4]);
    if (parameters.size() < 2)
        return rebuilt;
    if (const auto scale = m_arena.number(parameters[1])) {
        rebuilt.tensor.scales.push_back(*scale);
    } else if (auto scales = rebuild(parameters[1], depth)) {
        if (!scales->problem && scales->isTensor)
            rebuilt.scales = std::move(scales->tensor);
    }
    return rebuilt;
}

std::optional<RebuiltTensor> TensorRebuilder::metaTensor(Args args, int /*depth*/)
{
    const auto sizes = args.size() >= 2 ? integers(args[1]) : std::nullopt;
    if (!sizes)
        return refusedTensor("bad-header", "is rebuilt from too few arguments");
    RebuiltTensor rebuilt;
    rebuilt.tensor.type = dtypeOf(args[0]);
    rebuilt.tensor.shape = *sizes;
    rebuilt.tensor.object = "meta";
    rebuilt.kind = TensorKind::Other;
    if (!elementCount(*sizes))
        rebuilt.problem = ViewProblem{"size-overflow", "has a size that no tensor can have"};
    return rebuilt;
}

/// Such a tensor has no data of its own; fromType() looks into its state.
std::optional<RebuiltTensor> TensorRebuilder::wrapperSubclass(Args /*args*/, int /*depth*/)
{
    RebuiltTensor rebuilt;
    rebuilt.isTensor = false;
    return rebuilt;
}

std::optional<RebuiltTensor> TensorRebuilder::fromType(Args args, int depth)
{
    if (args.size() < 3 || !m_arena.is(args[0], PickleKind::Global))
        return std::nullopt;
    const PickleGlobal& type = m_arena.global(args[1]);
    const PickleRef state = args.size() >= 4 ? args[3] : kNoValue;
    const PickleRef local = stateEntry(state, "_local_tensor");
    auto rebuilt = local != kNoValue
        ? rebuild(local, depth)
        : apply(m_arena.global(args[0]), m_arena.items(args[2]), depth);
    if (!rebuilt) {
        // A class of its own with tensors inside: its arguments and state hold them.
        rebuilt.emplace();
        rebuilt->isTensor = false;
        rebuilt->alsoWalk.push_back(args[2]);
    }
    const bool isPlain = type.module.starts_with("torch")
        && (type.name == "Tensor" || type.name == "Parameter" || type.name == "Buffer");
    if (!isPlain && rebuilt->tensor.object.empty())
        rebuilt->tensor.object = "subclass " + type.name;
    if (stateEntry(state, "_is_buffer") != kNoValue || type.name == "Buffer")
        rebuilt->kind = TensorKind::Buffer;
    // The rest of a DTensor's state is its mesh and placement.
    if (state != kNoValue && local == kNoValue)
        rebuilt->alsoWalk.push_back(state);
    return rebuilt;
}

std::optional<RebuiltTensor> TensorRebuilder::nestedTensor(Args args, int depth)
{
    auto rebuilt = firstArgument(args, depth);
    if (rebuilt)
        rebuilt->tensor.object = "nested";
    return rebuilt;
}

}  // namespace firstbad::core
