// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a step behind the gradients: unscale, norm, clip, AdamW, parameters.
//
// One thread. Reports every tensor to the trace; writes nothing back.
#pragma once

#include "replay/engine/step.h"

#include <map>
#include <string>
#include <vector>

namespace firstbad::replay {

/// exp_avg/P, exp_avg_sq/P and master/P as recorded; empty when the capsule has none.
struct OptimizerState {
    std::map<std::string, Tensor> tensors;

    [[nodiscard]] Tensor find(const std::string& group, const std::string& param) const;
};

[[nodiscard]] core::Result<OptimizerState> readOptimizerState(
    const core::Capsule& capsule, const Model& model);

struct UpdateOutcome {
    double gradNorm = 0.0;
    bool foundInf = false;
    bool skipped = false;
};

[[nodiscard]] core::Result<UpdateOutcome> runUpdate(Model& model, const StepPlan& plan,
    const OptimizerState& state, const Gradients& gradients, Trace& trace);

}  // namespace firstbad::replay
