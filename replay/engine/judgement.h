// SPDX-License-Identifier: GPL-3.0-or-later
// Judgement: what a record means: was it reproduced, what kind of incident, how faithful the run.
//
// Pure functions over a finished record; one thread.
#pragma once

#include "replay/engine/record.h"

namespace firstbad::replay {

struct Verdict {
    std::string kind;  ///< as in contracts.md 3
    std::string level;  ///< fault, benign, unknown
    std::string why;  ///< one sentence
};

/// "yes", "no" or "different" from what was recorded.
[[nodiscard]] std::string reproducedAs(const ReplayContext& context, const StepRecord& record,
    const std::optional<core::ReplayPlace>& firstBad);

/// `finiteAtLowerScale`: the same step with loss scale 1 is finite, where that was tried.
[[nodiscard]] Verdict verdictOf(const ReplayContext& context, const StepRecord& record,
    const std::optional<core::ReplayPlace>& firstBad, std::optional<bool> finiteAtLowerScale);

/// True when only another loss scale can tell a probe of the scaler from a fault.
[[nodiscard]] bool dependsOnScale(
    const ReplayContext& context, const std::optional<core::ReplayPlace>& firstBad);

[[nodiscard]] std::vector<core::FidelityItem> fidelityOf(
    const ReplayContext& context, const StepPlan& plan, const core::CapsuleCheck& check);

/// row-collapsed, norm-overflow, near-limit.
[[nodiscard]] std::vector<core::ReplayFinding> findingsOf(
    const ReplayContext& context, const StepRecord& record);

}  // namespace firstbad::replay
