// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/weights/weight_source.h"

#include "core/capsule/tensor_file.h"
#include "replay/weights/checkpoint_weights.h"
#include "replay/weights/tensor_io.h"

#include <fmt/format.h>

namespace firstbad::replay {

namespace {

/// safetensors files of the capsule, one or several with different tensors.
class FileWeights : public WeightSource
{
public:
    explicit FileWeights(std::vector<core::TensorFile> files)
        : m_files(std::move(files))
    { }

    [[nodiscard]] std::optional<std::vector<std::int64_t>> shapeOf(
        const std::string& name, std::size_t /*shard*/) const override
    {
        for (const auto& file : m_files) {
            if (const auto* entry = file.find(name))
                return entry->shape;
        }
        return std::nullopt;
    }

    [[nodiscard]] core::Result<at::Tensor> read(
        const std::string& name, std::size_t /*shard*/) const override
    {
        for (const auto& file : m_files) {
            if (const auto* entry = file.find(name))
                return readTensor(file, *entry);
        }
        return core::fail(
            core::ErrorCode::NotFound, fmt::format("The weights have no tensor {}.", name));
    }

private:
    std::vector<core::TensorFile> m_files;
};

}  // namespace

core::Result<std::unique_ptr<WeightSource>> openWeights(
    const core::Capsule& capsule, core::JobContext& job)
{
    if (capsule.weights.files.empty())
        return openCheckpointWeights(capsule, job);
    std::vector<core::TensorFile> files;
    for (const auto& named : capsule.weights.files) {
        const auto path = core::pathOf(capsule, named.name);
        if (!path)
            return tl::unexpected(path.error());
        auto file = core::TensorFile::open(*path, capsule.shownPath + "/" + named.name);
        if (!file)
            return tl::unexpected(file.error());
        files.push_back(std::move(*file));
    }
    return std::make_unique<FileWeights>(std::move(files));
}

}  // namespace firstbad::replay
