// SPDX-License-Identifier: GPL-3.0-or-later
// ReplayEngine: runs the step of one capsule again and answers where, why and with what it fails.
//
// One engine a capsule, one thread at a time. Weights that fit the memory bound stay loaded, so
// that many runs cost many steps and one load. Deterministic: the same capsule gives the same
// answer. A run that is cancelled is an Error; what events said before stays true.
#pragma once

#include "core/base/job_context.h"
#include "core/capsule/capsule.h"
#include "core/protocol/replay_codec.h"
#include "core/protocol/replay_request.h"
#include "core/protocol/replay_result.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace firstbad::replay {

/// Called as soon as something is proven; each may be empty.
struct EngineEvents {
    std::function<void(const core::ReplayPlace& place)> firstBad;
    std::function<void(const core::ProbeStep& step)> probe;
    std::function<void(const core::MatrixCell& cell)> cell;
};

class ReplayEngine
{
public:
    [[nodiscard]] static core::Result<ReplayEngine> open(
        const core::Capsule& capsule, std::uint64_t memoryBytes, core::JobContext& job);

    ReplayEngine(ReplayEngine&&) noexcept;
    ReplayEngine& operator=(ReplayEngine&&) noexcept;
    ~ReplayEngine();

    /// One pass over every boundary of every lane; with `times` above 1 also whether it persists.
    [[nodiscard]] core::Result<core::ReplayResult> sweep(
        const core::ReplayRequest& request, const EngineEvents& events, core::JobContext& job);
    /// Halving over block boundaries, then ops, then the element; each block is run at most once.
    [[nodiscard]] core::Result<core::ReplayResult> bisect(
        const core::ReplayRequest& request, const EngineEvents& events, core::JobContext& job);
    [[nodiscard]] core::Result<core::MatrixResult> matrix(
        const core::ReplayRequest& request, const EngineEvents& events, core::JobContext& job);
    [[nodiscard]] core::Result<core::IsolateResult> isolate(
        const core::ReplayRequest& request, const EngineEvents& events, core::JobContext& job);
    /// Looks at one boundary only and runs no further than it must.
    [[nodiscard]] core::Result<core::ProbeResult> probe(
        const core::ReplayRequest& request, const EngineEvents& events, core::JobContext& job);
    /// Writes the values around one element to request.dump.
    [[nodiscard]] core::Result<core::TensorWindow> tensor(
        const core::ReplayRequest& request, const EngineEvents& events, core::JobContext& job);

    struct Parts;  ///< defined in engine_parts.h, for this folder

private:
    explicit ReplayEngine(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

/// Names of the families that can be replayed.
[[nodiscard]] std::vector<std::string> replayFamilies();

}  // namespace firstbad::replay
