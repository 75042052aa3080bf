// SPDX-License-Identifier: GPL-3.0-or-later
// kindOfPath(): what a tensor is, told by the names that lead to it in the formats of the field.
//
// Pure functions; any thread. A guess: readers that know better set the kind themselves.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <span>

namespace firstbad::core {

/// Rng, scaler, master copy, optimizer state and buffers by name; Param for the rest.
[[nodiscard]] TensorKind kindOfPath(
    std::span<const PathPart> path, std::span<const std::int64_t> shape);

/// True for mask buffers, whose -Infinity is on purpose (NaN and +Infinity never are): named like a
/// mask, or a `bias` of shape [1, 1, n, n], with a square end.
[[nodiscard]] bool mayHoldMinusInfinity(const CheckpointTensor& tensor);

/// The iteration that a top-level key of a checkpoint states ("iteration", "global_step").
[[nodiscard]] bool isStepKey(std::string_view key);

}  // namespace firstbad::core
