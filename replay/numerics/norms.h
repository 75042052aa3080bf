// SPDX-License-Identifier: GPL-3.0-or-later
// LayerNorm and RMSNorm, forward and backward: statistics in `compute`, or every step stored in the
// half type when the run did so.
//
// Pure functions over tensors; the last dimension is normalised. NaN and infinities propagate.
#pragma once

#include "replay/precision/block_types.h"

namespace firstbad::replay {

struct NormWeights {
    Tensor gain;
    Tensor shift;  ///< undefined for RMSNorm
    double eps = 0.0;
};

struct NormGradients {
    Tensor input;
    Tensor gain;
    Tensor shift;
};

[[nodiscard]] Tensor layerNorm(
    const Tensor& input, const NormWeights& norm, const BlockTypes& types);
[[nodiscard]] NormGradients layerNormBackward(
    const Tensor& gradient, const Tensor& input, const NormWeights& norm, const BlockTypes& types);

[[nodiscard]] Tensor rmsNorm(const Tensor& input, const NormWeights& norm, const BlockTypes& types);
[[nodiscard]] NormGradients rmsNormBackward(
    const Tensor& gradient, const Tensor& input, const NormWeights& norm, const BlockTypes& types);

}  // namespace firstbad::replay
