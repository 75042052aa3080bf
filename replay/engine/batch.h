// SPDX-License-Identifier: GPL-3.0-or-later
// MicroBatch: the tensors of one micro-step, checked before any of them indexes a table.
//
// Plain values; any thread once read.
#pragma once

#include "core/base/result.h"
#include "core/capsule/capsule.h"
#include "replay/families/block_run.h"
#include "replay/numerics/loss.h"

#include <optional>
#include <string>
#include <vector>

namespace firstbad::replay {

struct MicroBatch {
    Tensor ids;  ///< int64 [rows, length]
    Tensor labels;  ///< int64 [rows, length]
    Tensor attentionMask;  ///< as stored; undefined without one
    Tensor positions;  ///< int64; counted from 0 when the capsule has none
    Tensor lossMask;
    Tensor embeds;

    [[nodiscard]] std::int64_t rows() const { return ids.size(0); }
    [[nodiscard]] MicroBatch selected(const std::vector<std::int64_t>& rows) const;
    [[nodiscard]] MicroBatch truncated(std::int64_t length) const;
};

/// Shapes and types are checked here: Malformed names the tensor that does not fit the others.
[[nodiscard]] core::Result<std::vector<MicroBatch>> readBatches(
    const core::Capsule& capsule, const ModelShape& shape);

/// A place of the input that is wrong before the model is asked.
struct InputFault {
    std::string tensor;
    std::string kind;  ///< out-of-range, NaN, Infinity, -Infinity
    std::vector<std::int64_t> index;
    bool stops = false;  ///< the model cannot be run with it
};

/// Places in the order in which the tensors are read; the first of each tensor.
[[nodiscard]] std::vector<InputFault> inputFaults(
    const MicroBatch& batch, const ModelShape& shape, std::int64_t ignoreIndex);

/// Mask, positions and rotary tables for the blocks.
[[nodiscard]] StepInputs stepInputs(
    const MicroBatch& batch, const ModelShape& shape, bool rotary, NumberType compute);

}  // namespace firstbad::replay
