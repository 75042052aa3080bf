// SPDX-License-Identifier: GPL-3.0-or-later
// ReplayContext: one opened capsule: model, batches, optimizer state, and what was bad at entry.
//
// One thread. Opening reads headers, batches and every weight once, to know what was bad already.
#pragma once

#include "core/protocol/replay_request.h"
#include "core/protocol/replay_result.h"
#include "replay/engine/update.h"

#include <memory>
#include <vector>

namespace firstbad::replay {

struct ReplayContext {
    core::Capsule capsule;
    std::unique_ptr<Model> model;
    OptimizerState state;
    std::vector<MicroBatch> batches;
    std::vector<core::ReplayEntryBad> entryBad;

    [[nodiscard]] bool dropoutLost() const;  ///< dropout was on, and its generator is not recorded
};

[[nodiscard]] core::Result<ReplayContext> openContext(
    const core::Capsule& capsule, std::uint64_t memoryBytes, core::JobContext& job);

/// What to vary in one run; everything else is as recorded.
struct Variation {
    std::string precision;
    std::string attention;
    std::optional<double> lossScale;
    std::optional<std::vector<std::int64_t>> rows;  ///< counted through the micro-steps
    std::set<std::int64_t> fp32Blocks;
    std::optional<std::int64_t> length;  ///< only the first places of every row
};

[[nodiscard]] Variation variationOf(const core::ReplayRequest& request);
[[nodiscard]] core::Result<StepPlan> planOf(
    const ReplayContext& context, const Variation& variation);

}  // namespace firstbad::replay
