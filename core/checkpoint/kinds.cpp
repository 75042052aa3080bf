// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/kinds.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace firstbad::core {

namespace {

using namespace std::string_view_literals;

constexpr std::array kScalerNames{
    "scaler"sv, "grad_scaler"sv, "amp"sv, "loss_scaler"sv, "amp_scaler"sv, "scaler.pt"sv};
constexpr std::array kMasterNames{"fp32_from_fp16_params"sv, "fp32_from_fp16"sv, "master_params"sv,
    "fp32_groups_flat"sv, "single_partition_of_fp32_groups"sv, "fp32_flat_groups"sv, "fp32_param"sv,
    "master_param"sv, "master_weights"sv, "master_weight"sv, "fp32_groups"sv, "fp32_params"sv};
constexpr std::array kMomentNames{"exp_avg"sv, "exp_avg_sq"sv, "max_exp_avg_sq"sv,
    "momentum_buffer"sv, "square_avg"sv, "grad_avg"sv, "acc_delta"sv, "mu_product"sv,
    "base_optimizer_state"sv, "last_optimizer_state"sv};
constexpr std::array kBufferNames{"running_mean"sv, "running_var"sv, "moving_mean"sv,
    "moving_variance"sv, "num_batches_tracked"sv, "inv_freq"sv, "masked_bias"sv, "attn_mask"sv,
    "causal_mask"sv, "attention_mask"sv, "position_ids"sv, "relative_position_index"sv,
    "cos_cached"sv, "sin_cached"sv};

template <class Names> bool isOneOf(std::string_view name, const Names& names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Calls `visit` with every dotted piece of the path; stops at the first true.
template <class Visit> bool anyPiece(std::span<const PathPart> path, Visit visit)
{
    for (const PathPart& part : path) {
        std::string_view rest = part.text;
        for (;;) {
            const std::size_t dot = std::min(rest.find('.'), rest.size());
            if (visit(rest.substr(0, dot)))
                return true;
            if (dot == rest.size())
                break;
            rest.remove_prefix(dot + 1);
        }
    }
    return false;
}

std::string_view lastPiece(std::span<const PathPart> path)
{
    if (path.empty())
        return {};
    std::string_view text = path.back().text;
    const std::size_t dot = text.rfind('.');
    if (dot != std::string_view::npos)
        text.remove_prefix(dot + 1);
    return text.substr(0, text.find(':'));  // TensorFlow's "kernel:0"
}

bool isRng(std::string_view name)
{
    return name.find("rng_state") != std::string_view::npos || name == "rng"
        || name.starts_with("rng_") || name == "random_state" || name == "rng_tracker_states";
}

bool isScaler(std::string_view name)
{
    return isOneOf(name, kScalerNames) || name.starts_with("loss_scaler");
}

bool isOptimizer(std::string_view name)
{
    return name == "optim" || name == "optims" || name.starts_with("optimizer")
        || name.starts_with("optim_");
}

bool isMaskShape(std::span<const std::int64_t> shape)
{
    return shape.size() >= 2 && shape[shape.size() - 1] == shape[shape.size() - 2]
        && shape.back() > 1;
}

bool isCausalBias(std::string_view name, std::span<const std::int64_t> shape)
{
    return name == "bias" && shape.size() == 4 && shape[0] == 1 && shape[1] == 1
        && isMaskShape(shape);
}

}  // namespace

TensorKind kindOfPath(std::span<const PathPart> path, std::span<const std::int64_t> shape)
{
    if (anyPiece(path, isRng))
        return TensorKind::Rng;
    if (anyPiece(path, isScaler))
        return TensorKind::Scaler;
    if (anyPiece(path, [](std::string_view name) { return isOneOf(name, kMasterNames); }))
        return TensorKind::Master;
    const std::string_view last = lastPiece(path);
    const bool inOptimizer = anyPiece(path, isOptimizer);
    if (inOptimizer && (last == "fp32" || anyPiece(path, [](std::string_view name) {
            return name == "param";
        })))
        return TensorKind::Master;
    if (inOptimizer
        || anyPiece(path, [](std::string_view name) { return isOneOf(name, kMomentNames); }))
        return TensorKind::Optimizer;
    if (isOneOf(last, kBufferNames) || isCausalBias(last, shape))
        return TensorKind::Buffer;
    return TensorKind::Param;
}

bool mayHoldMinusInfinity(const CheckpointTensor& tensor)
{
    if (tensor.kind != TensorKind::Param && tensor.kind != TensorKind::Buffer)
        return false;
    const std::string_view last = lastPiece(tensor.path);
    if (last == "masked_bias")
        return true;
    return isCausalBias(last, tensor.shape)
        || (containsIgnoringCase(last, "mask") && isMaskShape(tensor.shape));
}

bool isStepKey(std::string_view key)
{
    constexpr std::array kKeys{"iteration"sv, "global_step"sv, "global_steps"sv, "step"sv,
        "steps"sv, "iter"sv, "iter_num"sv, "num_updates"sv, "current_step"sv, "iterations"sv};
    return isOneOf(key, kKeys);
}

}  // namespace firstbad::core
