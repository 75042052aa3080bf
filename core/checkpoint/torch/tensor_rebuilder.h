// SPDX-License-Identifier: GPL-3.0-or-later
// TensorRebuilder: tells what tensor a pickled call of PyTorch or NumPy would have made.
//
// Reads descriptions only; one thread; recursion is bounded. Private to core/checkpoint/torch.
#pragma once

#include "core/checkpoint/geometry.h"
#include "core/checkpoint/pickle/machine.h"
#include "core/checkpoint/torch/torch_file.h"
#include "core/checkpoint/torch/torch_storages.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace firstbad::core {

struct RebuiltTensor {
    bool isTensor = true;  ///< false: only its parts are
    CheckpointTensor tensor;  ///< without a name
    std::optional<ViewProblem> problem;  ///< it must not be read
    std::optional<TensorKind> kind;  ///< where the call tells it
    std::vector<PickleRef> alsoWalk;  ///< attributes, to be named below the tensor
    std::optional<CheckpointTensor> scales;  ///< of a quantised tensor
};

class TensorRebuilder
{
public:
    TensorRebuilder(const PickleArena& arena, TorchStorages& storages,
        const TorchFileOptions& options, JobContext& job)
        : m_arena(arena)
        , m_storages(storages)
        , m_options(options)
        , m_job(job)
    { }

    /// nullopt when the value is no tensor.
    [[nodiscard]] std::optional<RebuiltTensor> rebuild(PickleRef ref) { return rebuild(ref, 0); }

private:
    using Args = std::span<const PickleRef>;
    using Function = std::optional<RebuiltTensor> (TensorRebuilder::*)(Args, int);
    static Function functionFor(const PickleGlobal& global);

    std::optional<RebuiltTensor> rebuild(PickleRef ref, int depth);
    std::optional<RebuiltTensor> apply(const PickleGlobal& global, Args args, int depth);

    std::optional<RebuiltTensor> plainTensor(Args args, int depth);
    std::optional<RebuiltTensor> typedTensor(Args args, int depth);
    std::optional<RebuiltTensor> parameter(Args args, int depth);
    std::optional<RebuiltTensor> parameterWithState(Args args, int depth);
    std::optional<RebuiltTensor> sparseTensor(Args args, int depth);
    std::optional<RebuiltTensor> quantizedTensor(Args args, int depth);
    std::optional<RebuiltTensor> metaTensor(Args args, int depth);
    std::optional<RebuiltTensor> wrapperSubclass(Args args, int depth);
    std::optional<RebuiltTensor> fromType(Args args, int depth);
    std::optional<RebuiltTensor> firstArgument(Args args, int depth);
    std::optional<RebuiltTensor> nestedTensor(Args args, int depth);

    void addMetadata(Args args, std::size_t at, RebuiltTensor& rebuilt) const;
    RebuiltTensor view(PickleRef storage, Args offsetSizeStride, ElementType type);
    std::optional<std::uint32_t> storageOf(
        PickleRef ref, ElementType& type, bool& isMeta, std::int64_t& viewOffset);
    std::optional<std::uint32_t> storageInBytes(PickleRef call, ElementType& type);
    std::optional<std::uint32_t> readStorageInBytes(PickleRef bytes);
    [[nodiscard]] PickleRef stateEntry(PickleRef state, std::string_view key) const;
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(PickleRef ref) const;
    [[nodiscard]] ElementType dtypeOf(PickleRef ref) const;

    const PickleArena& m_arena;
    TorchStorages& m_storages;
    const TorchFileOptions& m_options;
    JobContext& m_job;
    std::unordered_map<PickleRef, std::optional<std::uint32_t>> m_inBytes;  // by the text of bytes
};

/// Arrays and scalars of NumPy (numpy_values.cpp).
[[nodiscard]] std::optional<RebuiltTensor> rebuildNumpyValue(
    const PickleArena& arena, PickleRef ref, TorchStorages& storages);

}  // namespace firstbad::core
