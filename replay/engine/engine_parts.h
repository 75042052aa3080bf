// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the engine that its methods share: the opened capsule and how a result is put together.
//
// Private to replay/engine; one thread.
#pragma once

#include "replay/engine/judgement.h"
#include "replay/engine/replay_engine.h"

namespace firstbad::replay {

struct ReplayEngine::Parts {
    ReplayContext context;
    core::CapsuleCheck check;

    /// One whole step; LibTorch's exceptions end here.
    [[nodiscard]] core::Result<StepRecord> run(
        const Variation& variation, const RunOptions& options, core::JobContext& job);

    /// Everything that is said about a finished record.
    [[nodiscard]] core::Result<core::ReplayResult> resultOf(const StepRecord& record,
        const std::optional<core::ReplayPlace>& first, const Variation& variation,
        core::JobContext& job);

    /// Forward and backward blocks in units of one forward pass; backward counts twice.
    [[nodiscard]] double forwardEquivalents(const StepRecord& record) const;
};

/// The cells of a record by lane; a lane that was not reached is absent.
[[nodiscard]] core::ReplayLanes lanesOf(const StepRecord& record);

}  // namespace firstbad::replay
