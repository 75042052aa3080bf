// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/weights/checkpoint_weights.h"

#include "core/checkpoint/checkpoint_reader.h"
#include "replay/weights/tensor_io.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

namespace fs = std::filesystem;

/// Frameworks put the state dict into "module", "model" or "state_dict"; the names inside have dots
/// of their own, so that only the last part of the path is compared.
bool isNamed(const core::CheckpointTensor& tensor, const std::string& name)
{
    if (tensor.kind == core::TensorKind::Optimizer || tensor.kind == core::TensorKind::Master)
        return false;
    if (tensor.name == name || (!tensor.path.empty() && tensor.path.back().text == name))
        return true;
    return std::find(tensor.aliases.begin(), tensor.aliases.end(), name) != tensor.aliases.end();
}

/// No tensor is larger than all storages together, except one that repeats its elements.
std::uint64_t storedBytes(const core::Checkpoint& checkpoint)
{
    std::uint64_t sum = 0;
    for (const auto& storage : checkpoint.storages)
        sum += storage.bytes;
    return sum;
}

class CheckpointWeights : public WeightSource
{
public:
    explicit CheckpointWeights(std::vector<core::Checkpoint> ranks)
        : m_ranks(std::move(ranks))
    { }

    [[nodiscard]] std::size_t shards() const noexcept override { return m_ranks.size(); }

    [[nodiscard]] std::optional<std::vector<std::int64_t>> shapeOf(
        const std::string& name, std::size_t shard) const override
    {
        const auto* tensor = find(name, shard);
        return tensor == nullptr ? std::nullopt : std::optional(tensor->shape);
    }

    [[nodiscard]] core::Result<at::Tensor> read(
        const std::string& name, std::size_t shard) const override
    {
        const auto* tensor = find(name, shard);
        if (tensor == nullptr)
            return core::fail(core::ErrorCode::NotFound,
                fmt::format("{} has no tensor {}.", m_ranks[shard].path, name));
        core::JobContext job;
        const auto bytes
            = core::readTensor(m_ranks[shard], *tensor, storedBytes(m_ranks[shard]), job);
        if (!bytes)
            return tl::unexpected(bytes.error());
        return tensorOfBytes(name, tensor->type, tensor->shape, *bytes);
    }

private:
    [[nodiscard]] const core::CheckpointTensor* find(
        const std::string& name, std::size_t shard) const
    {
        const auto& tensors = m_ranks[shard].tensors;
        const auto found = std::find_if(tensors.begin(), tensors.end(),
            [&](const core::CheckpointTensor& tensor) { return isNamed(tensor, name); });
        return found == tensors.end() ? nullptr : &*found;
    }

    std::vector<core::Checkpoint> m_ranks;
};

/// Of a root with several saves, the one that the capsule names, else the newest.
const core::CheckpointSave* chosenSave(
    const core::Checkpoint& checkpoint, std::optional<std::int64_t> step)
{
    const core::CheckpointSave* chosen = nullptr;
    for (const auto& save : checkpoint.saves) {
        if (step && save.step == step)
            return &save;
        if (chosen == nullptr || save.newest || !chosen->newest)
            chosen = &save;
    }
    return chosen;
}

core::Result<core::Checkpoint> readable(core::Checkpoint checkpoint)
{
    if (!checkpoint.damage.empty())
        return core::fail(core::ErrorCode::Malformed,
            fmt::format("The checkpoint {} is damaged: {}.", checkpoint.path,
                checkpoint.damage.front().text),
            "firstbad scan lists what is lost.");
    if (!checkpoint.supported)
        return core::fail(core::ErrorCode::Unsupported,
            fmt::format(
                "The checkpoint {} cannot be read: {}.", checkpoint.path, checkpoint.reason));
    return checkpoint;
}

core::Result<core::Checkpoint> openOne(
    const core::Capsule& capsule, const fs::path& path, core::JobContext& job)
{
    const auto shown = fs::path(capsule.shownPath) / path.lexically_relative(capsule.folder);
    auto checkpoint = core::openCheckpoint(path, shown.string(), job);
    if (!checkpoint)
        return checkpoint;
    if (const auto* save = chosenSave(*checkpoint, capsule.weights.checkpointStep)) {
        checkpoint = core::openCheckpoint(save->location, save->path, job);
        if (!checkpoint)
            return checkpoint;
    }
    return readable(std::move(*checkpoint));
}

/// One path for each tensor-parallel rank.
core::Result<std::vector<fs::path>> rankPaths(const core::Capsule& capsule)
{
    const auto ranks = capsule.weights.tensorParallel;
    if (ranks <= 1) {
        auto path = core::pathOf(capsule, capsule.weights.checkpointPath);
        if (!path)
            return tl::unexpected(path.error());
        return std::vector<fs::path>{std::move(*path)};
    }
    auto files = core::checkpointFiles(capsule);
    if (files && files->size() != static_cast<std::size_t>(ranks))
        return core::fail(core::ErrorCode::Malformed,
            fmt::format("The checkpoint {} of {} has {} files for {} ranks.",
                capsule.weights.checkpointPath, capsule.shownPath, files->size(), ranks),
            "Keep one save with a file for each tensor-parallel rank.");
    return files;
}

}  // namespace

core::Result<std::unique_ptr<WeightSource>> openCheckpointWeights(
    const core::Capsule& capsule, core::JobContext& job)
{
    const auto paths = rankPaths(capsule);
    if (!paths)
        return tl::unexpected(paths.error());
    std::vector<core::Checkpoint> ranks;
    for (const auto& path : *paths) {
        auto checkpoint = openOne(capsule, path, job);
        if (!checkpoint)
            return tl::unexpected(checkpoint.error());
        ranks.push_back(std::move(*checkpoint));
    }
    return std::make_unique<CheckpointWeights>(std::move(ranks));
}

}  // namespace firstbad::replay
