// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers and matrix products, forward and backward, rounded where the run would store.
//
// Pure functions over tensors. `compute` precision inside, one rounding after the bias.
#pragma once

#include "replay/precision/block_types.h"

namespace firstbad::replay {

/// Weights of one linear layer as the block sees them.
struct LinearWeights {
    Tensor weight;
    Tensor bias;  ///< undefined without one
    bool inputMajor = false;  ///< [in, out] (GPT-2's Conv1D) instead of [out, in]
    Tensor fp8Input;  ///< scales, defined in fp8 runs only
    Tensor fp8Weight;
};

struct LinearGradients {
    Tensor input;
    Tensor weight;
    Tensor bias;
};

[[nodiscard]] Tensor linear(
    const Tensor& input, const LinearWeights& layer, const BlockTypes& types, NumberType result);

/// `gradient` is that of the result; the input's gradient comes back in the input's type, the
/// others in the type of the parameters.
[[nodiscard]] LinearGradients linearBackward(const Tensor& gradient, const Tensor& input,
    const LinearWeights& layer, const BlockTypes& types);

/// a . b of the last two dimensions with inputs and result in the matmul type.
[[nodiscard]] Tensor product(
    const Tensor& a, const Tensor& b, const BlockTypes& types, NumberType result);

}  // namespace firstbad::replay
