// SPDX-License-Identifier: GPL-3.0-or-later
// Scores, mask, softmax and context of one attention layer, forward and backward, and rotary
// positions.
//
// Pure functions over tensors of [rows, heads, length, d]. The rules that differ between families
// (scale, mask, what softmax stores) are values of AttentionRule.
#pragma once

#include "replay/precision/block_types.h"

namespace firstbad::replay {

/// The attention mask of one micro-step.
struct AttentionMask {
    Tensor blocked;  ///< bool, broadcasts to [rows, 1, query, key]; undefined with `added`
    Tensor added;  ///< a float mask that the caller gave, added as it is; else undefined
};

struct AttentionRule {
    double scale = 1.0;  ///< of the stored product
    bool scales = true;  ///< false: q was scaled before, the product is stored once
    std::optional<double>
        blockedValue;  ///< replaces blocked scores; else the lowest value is added
    double softmaxFactor = 1.0;  ///< multiplies the softmax input in `compute`
    bool softmaxReadsFp32 = false;  ///< softmax is asked for in fp32 and cast afterwards
    NumberType probabilities = at::kFloat;  ///< type in which they are stored
};

struct AttentionSaved {
    Tensor q, k, v;
    Tensor scores;
    Tensor probabilities;  ///< as stored
    Tensor softmax;  ///< as softmax left them: what its derivative reads
};

struct AttentionGradients {
    Tensor probabilities;
    Tensor scores;
    Tensor q, k, v;
};

/// Fills scores from q and k.
void attentionScores(AttentionSaved& saved, const AttentionRule& rule, const BlockTypes& types);
/// Fills softmax and probabilities from scores.
void attentionSoftmax(AttentionSaved& saved, const AttentionMask& mask, const AttentionRule& rule,
    const BlockTypes& types);
/// probabilities . v with heads merged: [rows, length, heads * d].
[[nodiscard]] Tensor attentionContext(const AttentionSaved& saved, const BlockTypes& types);

[[nodiscard]] AttentionGradients attentionBackward(const Tensor& gradient,
    const AttentionSaved& saved, const AttentionMask& mask, const AttentionRule& rule,
    const BlockTypes& types);

/// [rows, length, heads * d] <-> [rows, heads, length, d].
[[nodiscard]] Tensor splitHeads(const Tensor& tensor, std::int64_t heads);
[[nodiscard]] Tensor mergeHeads(const Tensor& tensor);

/// cos and sin of position * base^(-2j/d), [rows, 1, length, d], in `type`; computed in fp32, or in
/// fp64 when `compute` is.
struct RotaryTable {
    Tensor cos;
    Tensor sin;
};
[[nodiscard]] RotaryTable rotaryTable(
    const Tensor& positions, std::int64_t d, double base, NumberType compute);

/// x cos + rotate_half(x) sin: each product and the sum are stored in `result`.
[[nodiscard]] Tensor rotate(const Tensor& x, const RotaryTable& table, NumberType tableType,
    NumberType result, NumberType compute);
/// Gradient of x in `type`.
[[nodiscard]] Tensor rotateBackward(const Tensor& gradient, const RotaryTable& table,
    NumberType tableType, NumberType type, NumberType compute);

}  // namespace firstbad::replay
