// SPDX-License-Identifier: GPL-3.0-or-later
// The two ends of a model, alike in every family: the embedding (block -1) and the head with the
// final norm, the logits and the loss (block N).
//
// Functions over a BlockRun; ids and positions must have been checked against the tables.
#pragma once

#include "replay/families/family.h"
#include "replay/numerics/loss.h"

namespace firstbad::replay {

[[nodiscard]] Tensor embeddingForward(BlockRun& run);
void embeddingBackward(BlockRun& run, const Tensor& gradient);

/// What the head needs besides its weights.
struct HeadInputs {
    const LossTargets& targets;
    const core::CapsuleLoss& rule;
    bool rmsNorm = false;
    double scale = 1.0;  ///< gradient of this micro-step's loss
};

/// Final norm, logits and loss; the loss in the run's compute type.
[[nodiscard]] LossValue headForward(BlockRun& run, const HeadInputs& head, const Tensor& input);
/// Gradient of the head's input.
[[nodiscard]] Tensor headBackward(BlockRun& run, const HeadInputs& head, const LossValue& loss);

}  // namespace firstbad::replay
