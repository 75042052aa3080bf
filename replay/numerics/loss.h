// SPDX-License-Identifier: GPL-3.0-or-later
// Cross entropy of one micro-step with the gradient of its logits.
//
// Pure functions over tensors. 0/0 is NaN on purpose: a batch without any valid target is a fault
// that the training had.
#pragma once

#include "core/capsule/capsule.h"
#include "replay/precision/block_types.h"

namespace firstbad::replay {

struct LossTargets {
    Tensor labels;  ///< int64 [rows, length], already shifted; ignore_index where there is none
    Tensor mask;  ///< float [rows, length] shifted alike, or undefined
};

/// Shifts labels and mask by one unless the capsule says they are; the last place has no target.
[[nodiscard]] LossTargets lossTargets(
    const Tensor& labels, const Tensor& mask, const core::CapsuleLoss& rule);

struct LossValue {
    Tensor loss;  ///< scalar in `compute`
    Tensor logProbabilities;
    Tensor weights;  ///< of each target: what d loss / d(its negative log-likelihood) is
};

[[nodiscard]] LossValue crossEntropy(const Tensor& logits, const LossTargets& targets,
    const core::CapsuleLoss& rule, NumberType compute);

/// Gradient of the logits, in their type, for a loss whose own gradient is `scale`.
[[nodiscard]] Tensor crossEntropyBackward(const LossValue& value, const LossTargets& targets,
    const core::CapsuleLoss& rule, double scale, NumberType type);

}  // namespace firstbad::replay
