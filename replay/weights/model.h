// SPDX-License-Identifier: GPL-3.0-or-later
// Model: a capsule's weights as parameters of its family, checked against its config.
//
// Loads block by block; what fits the memory bound stays. One thread; a block asked for ahead is
// read on another one.
#pragma once

#include "core/base/job_context.h"
#include "core/capsule/capsule.h"
#include "replay/families/family.h"
#include "replay/weights/weight_source.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::replay {

struct Param {
    ParamSpec spec;
    std::string name;  ///< as in the checkpoint
    std::int64_t block = 0;
};

class Model
{
public:
    [[nodiscard]] static core::Result<std::unique_ptr<Model>> open(
        const core::Capsule& capsule, core::JobContext& job);

    [[nodiscard]] const Family& family() const noexcept { return *m_family; }
    [[nodiscard]] const ModelShape& shape() const noexcept { return m_shape; }
    /// In order of use.
    [[nodiscard]] const std::vector<Param>& params() const noexcept { return m_params; }
    /// Indices of a block's own parameters.
    [[nodiscard]] std::vector<std::size_t> paramsOf(std::int64_t block) const;
    /// Parameters that an op reads: a tied head reads the token table.
    [[nodiscard]] std::vector<std::size_t> paramsRead(
        std::int64_t block, std::string_view op) const;

    /// A parameter in its stored type.
    [[nodiscard]] core::Result<Tensor> stored(std::size_t index);
    /// Weights of a block in its parameter type, fp8 scales included.
    [[nodiscard]] core::Result<BlockWeights> weights(std::int64_t block, const BlockTypes& types);

    /// Tensors kept in memory at most; 0: no bound.
    void setMemoryBound(std::uint64_t bytes) noexcept { m_bound = bytes; }

private:
    Model() = default;
    core::Result<void> resolve(const core::Capsule& capsule);
    core::Result<void> checkShape(const Param& param, const core::Capsule& capsule) const;
    core::Result<void> openFp8(const core::Capsule& capsule);
    [[nodiscard]] core::Result<Tensor> merged(const Param& param) const;

    const Family* m_family = nullptr;
    ModelShape m_shape;
    std::vector<Param> m_params;
    std::unique_ptr<WeightSource> m_source;
    std::map<std::string, Tensor> m_fp8Scales;
    std::map<std::size_t, Tensor> m_kept;
    std::uint64_t m_keptBytes = 0;
    std::uint64_t m_bound = 0;
};

}  // namespace firstbad::replay
