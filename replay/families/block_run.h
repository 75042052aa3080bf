// SPDX-License-Identifier: GPL-3.0-or-later
// BlockRun: one block of one micro-step while it runs: its weights, types, saved values, probes.
//
// One thread. Saved values live until the block's backward has run.
#pragma once

#include "replay/numerics/activations.h"
#include "replay/numerics/attention.h"
#include "replay/numerics/linear.h"
#include "replay/numerics/norms.h"
#include "replay/probes/trace.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace firstbad::replay {

/// The numbers of a config that a family needs.
struct ModelShape {
    std::int64_t blocks = 0;
    std::int64_t hidden = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headWidth = 0;
    std::int64_t inner = 0;
    std::int64_t vocabulary = 0;
    std::int64_t positions = 0;  ///< rows of a learned position table; 0 without one
    double eps = 1e-5;
    double rotaryBase = 10000.0;
    double residualScale = 1.0;  ///< glm's alpha
    double dropout = 0.0;  ///< largest of the config's
    bool tied = false;
    bool projectionBias = false;
    bool mlpBias = false;
    bool scaleByLayer = false;
    bool scalesScores = true;
    Activation activation = Activation::GeluNew;
};

/// What a micro-step gives to every block.
struct StepInputs {
    Tensor ids;
    Tensor embeds;  ///< replaces the token lookup; else undefined
    Tensor positions;
    AttentionMask mask;
    RotaryTable rotary;  ///< of the run's compute type; undefined without rotary positions
};

/// Weights of one block by key, cast to its parameter type.
struct BlockWeights {
    std::map<std::string, Tensor, std::less<>> tensors;
    std::map<std::string, Tensor, std::less<>> fp8Scales;  ///< "attn.q.input", "attn.q.weight"

    [[nodiscard]] Tensor find(std::string_view key) const;
};

using WeightGradients = std::map<std::string, Tensor, std::less<>>;

struct BlockRun {
    const ModelShape& shape;
    BlockTypes types;
    BlockWeights weights;
    const StepInputs& inputs;
    std::int64_t microStep = 0;
    std::int64_t block = 0;
    Trace& trace;
    std::map<std::string, Tensor, std::less<>> saved;
    AttentionSaved attention;
    WeightGradients gradients;

    /// Reports the output of an op, keeps it for backward and hands it back.
    Tensor value(std::string_view op, const Tensor& tensor);
    /// The output of a norm; also looks for rows that it lost.
    Tensor normed(std::string_view op, const Tensor& input, const Tensor& output);
    /// Reports the gradient of an op's output.
    Tensor gradient(std::string_view op, const Tensor& tensor);
    [[nodiscard]] const Tensor& at(std::string_view op) const;

    [[nodiscard]] LinearWeights layer(std::string_view op, bool inputMajor) const;
    [[nodiscard]] NormWeights norm(std::string_view op) const;

    [[nodiscard]] Tensor add(const Tensor& a, const Tensor& b) const;  ///< in the stream's type
    /// Runs a linear layer backward, keeps its weight gradients, hands the input's gradient back.
    Tensor linearBackward(
        std::string_view op, const Tensor& gradient, const Tensor& input, bool inputMajor);
    Tensor layerNormBackward(std::string_view op, const Tensor& gradient, const Tensor& input);
    Tensor rmsNormBackward(std::string_view op, const Tensor& gradient, const Tensor& input);

private:
    Tensor keepNorm(std::string_view op, const NormGradients& gradients);
};

}  // namespace firstbad::replay
