// SPDX-License-Identifier: GPL-3.0-or-later
// WeightSource: the tensors of a capsule's weights by name, wherever they lie.
//
// Opening reads headers only; read() may be called from several threads.
#pragma once

#include "core/base/job_context.h"
#include "core/capsule/capsule.h"

#include <ATen/ATen.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::replay {

class WeightSource
{
public:
    virtual ~WeightSource() = default;

    /// Shape of a tensor in one file or shard; nullopt when there is none of that name.
    [[nodiscard]] virtual std::optional<std::vector<std::int64_t>> shapeOf(
        const std::string& name, std::size_t shard) const = 0;
    /// In its stored type.
    [[nodiscard]] virtual core::Result<at::Tensor> read(
        const std::string& name, std::size_t shard) const = 0;
    /// Tensor-parallel ranks; 1 for whole tensors.
    [[nodiscard]] virtual std::size_t shards() const noexcept { return 1; }
};

[[nodiscard]] core::Result<std::unique_ptr<WeightSource>> openWeights(
    const core::Capsule& capsule, core::JobContext& job);

}  // namespace firstbad::replay
