// SPDX-License-Identifier: GPL-3.0-or-later
// BlockTypes: in which type each kind of tensor of one block is stored while the step runs.
//
// Plain values, any thread. Everything is computed in `compute` and rounded once when it is stored;
// the families say what is stored, this says how.
#pragma once

#include "core/base/result.h"
#include "core/capsule/capsule.h"

#include <ATen/ATen.h>
#include <optional>
#include <set>
#include <string>

namespace firstbad::replay {

using at::Tensor;
using NumberType = at::ScalarType;

struct BlockTypes {
    NumberType stream = at::kFloat;  ///< hidden values and residuals
    NumberType param = at::kFloat;
    NumberType matmul = at::kFloat;  ///< inputs and results of matrix products
    NumberType compute = at::kFloat;  ///< fp32, or fp64 in an fp64 run
    NumberType norm = at::kFloat;  ///< `compute`, or the half type in which each step is stored
    NumberType softmax = at::kFloat;  ///< `compute`, or the type its input is rounded to
    NumberType logits = at::kFloat;
    std::optional<NumberType> fp8;  ///< type of the inputs and weights of linear layers
    bool mixed = false;  ///< types follow CUDA autocast's lists
    bool fusedAttention = false;  ///< scores and probabilities are never stored
};

/// Precision of one run: every block alike, except those that are asked to run in fp32.
struct RunPrecision {
    std::string name;
    BlockTypes types;
    double lossScale = 1.0;
    std::set<std::int64_t> fp32Blocks;

    [[nodiscard]] BlockTypes typesOf(std::int64_t block) const;
};

[[nodiscard]] core::Result<NumberType> numberType(const std::string& name);
[[nodiscard]] core::Result<RunPrecision> runPrecision(const core::CapsulePrecision& precision);

/// The recorded precision with `compute` replaced: what a run of the same model at `name` would
/// use.
[[nodiscard]] core::CapsulePrecision atPrecision(
    const core::CapsulePrecision& recorded, const std::string& name);

/// True for the two-byte types.
[[nodiscard]] constexpr bool isHalf(NumberType type) noexcept
{
    return type == at::kHalf || type == at::kBFloat16;
}

/// Rounds to nearest even; a no-op when the tensor already has the type.
[[nodiscard]] inline Tensor stored(const Tensor& tensor, NumberType type)
{
    return tensor.scalar_type() == type ? tensor : tensor.to(type);
}

/// Rounds to `type` and comes back to `compute`: a value that was stored on the way.
[[nodiscard]] inline Tensor through(const Tensor& tensor, NumberType type, NumberType compute)
{
    return type == compute ? tensor : tensor.to(type).to(compute);
}

/// cast(x * scale) / scale, saturating: NaN stays, an infinity becomes the largest value.
[[nodiscard]] Tensor throughFp8(
    const Tensor& tensor, NumberType fp8, const Tensor& scale, NumberType compute);

/// Largest and lowest finite value of a type.
[[nodiscard]] double largestOf(NumberType type);

}  // namespace firstbad::replay
