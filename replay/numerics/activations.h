// SPDX-License-Identifier: GPL-3.0-or-later
// Activations with their derivatives, stored step by step where the training framework does.
//
// Pure functions over tensors. NaN propagates through every one of them, relu included.
#pragma once

#include "replay/precision/block_types.h"

#include <string>

namespace firstbad::replay {

enum class Activation : std::uint8_t { GeluNew, Gelu, GeluTanh, Relu, Silu };

/// Names as in config.json: gelu_new, gelu, gelu_pytorch_tanh, relu, silu, swish.
[[nodiscard]] core::Result<Activation> activationNamed(const std::string& name);

[[nodiscard]] Tensor activate(const Tensor& input, Activation kind, const BlockTypes& types);
/// Gradient of the input, in the input's type.
[[nodiscard]] Tensor activateBackward(
    const Tensor& gradient, const Tensor& input, Activation kind, const BlockTypes& types);

}  // namespace firstbad::replay
