// SPDX-License-Identifier: GPL-3.0-or-later
// What the names of tensors tell the rules: norm gains, embeddings, scales, layers.
//
// Pure functions; any thread.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace firstbad::core {

/// The gain of a layer or RMS norm.
[[nodiscard]] bool isNormGain(const CheckpointTensor& tensor);
/// Scales that something is divided by: block scales of 8-bit optimizers, fp8 and int8 scales.
[[nodiscard]] bool isDivisor(const CheckpointTensor& tensor);
/// Word embeddings and output heads: a row a token.
[[nodiscard]] bool isEmbedding(const CheckpointTensor& tensor);

struct LayerName {
    std::string before;  ///< "model.layers."
    std::int64_t layer = 0;
    std::string after;  ///< ".mlp.up_proj.weight"
};
[[nodiscard]] std::optional<LayerName> layerOf(const std::string& name);

/// Tensor numbers by name.
using TensorIndex = std::unordered_map<std::string_view, std::size_t>;
[[nodiscard]] TensorIndex indexTensors(const Checkpoint& checkpoint);
[[nodiscard]] const CheckpointTensor* findTensor(
    const Checkpoint& checkpoint, const TensorIndex& index, const std::string& name);

/// `text` with the last `from` replaced; empty when it is not in it.
[[nodiscard]] std::string withLast(
    const std::string& text, std::string_view from, std::string_view to);

}  // namespace firstbad::core
