// SPDX-License-Identifier: GPL-3.0-or-later
// Scales: exact zeros in what something is multiplied or divided by, fp8 scales that do not fit.
#include "core/base/compare.h"
#include "core/base/text.h"
#include "core/checkpoint/torch/torch_values.h"
#include "core/finite/float_format.h"
#include "core/judge/rules.h"
#include "core/judge/tensor_names.h"
#include "core/scan/tensor_gather.h"
#include "core/scan/tensor_stream.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostScales = 1U << 16U;

/// All values of a small floating-point tensor; empty when it is none or cannot be read.
std::vector<double> smallValues(
    const Checkpoint& checkpoint, const CheckpointTensor& tensor, JobContext& job)
{
    std::vector<double> all;
    if (floatFormat(tensor.type) == nullptr)
        return all;
    const auto done
        = visitValues(checkpoint, tensor, job, [&](std::uint64_t, std::span<const double> values) {
              all.insert(all.end(), values.begin(), values.end());
              return all.size() < kMostScales;
          });
    return done ? all : std::vector<double>();
}

std::optional<std::int64_t> firstZero(const FileRuleInput& input, const CheckpointTensor& tensor)
{
    const std::vector<double> values = smallValues(input.checkpoint(), tensor, input.job);
    const auto found = std::find(values.begin(), values.end(), 0.0);
    return found == values.end() ? std::nullopt
                                 : std::optional<std::int64_t>(found - values.begin());
}

void judgeZeroLossScale(const FileRuleInput& input)
{
    for (const CheckpointScalar& scalar : input.checkpoint().scalars) {
        const bool isScale = scalar.name.ends_with("scaler.scale")
            || scalar.name.ends_with("loss_scale") || scalar.name.ends_with("cur_scale");
        if (!isScale || scalar.value != 0.0)
            continue;
        CheckpointWarning warning;
        warning.code = "zero-scale";
        warning.tensor = scalar.name;
        warning.value = scalar.value;
        warning.text = fmt::format(
            "{} is 0: every gradient would be multiplied by it, no update can succeed.",
            scalar.name);
        input.warnings.push_back(std::move(warning));
    }
}

double largestSize(const ValueStats& stats)
{
    return std::max(
        std::fabs(stats.smallest.value_or(0.0)), std::fabs(stats.largest.value_or(0.0)));
}

/// The largest recorded maximum of the weight: the second meta slot of a history [length, slots].
double recordedAmax(const std::vector<double>& history, const CheckpointTensor& tensor)
{
    constexpr std::int64_t kWeightSlot = 1;
    const std::int64_t slots = tensor.shape.size() == 2 ? tensor.shape[1] : 1;
    const std::int64_t slot = slots > kWeightSlot ? kWeightSlot : 0;
    double most = 0.0;
    for (std::size_t i = 0; i < history.size(); ++i) {
        if (static_cast<std::int64_t>(i) % slots == slot && exceeds(history[i], most))
            most = history[i];
    }
    return most;
}

/// What TransformerEngine keeps pickled inside byte tensors: scales and histories of maxima.
Checkpoint extraStates(const FileRuleInput& input)
{
    constexpr std::uint64_t kLargest = 1U << 20U;
    Checkpoint all;
    for (const CheckpointTensor& tensor : input.checkpoint().tensors) {
        std::vector<std::vector<PathPart>> paths;
        if (tensor.type == ElementType::UInt8 && tensor.name.ends_with("_extra_state"))
            paths.push_back({{PathPart::Kind::Text, tensor.name}});
        for (const std::string& alias : tensor.aliases) {
            if (!paths.empty())
                paths.push_back({{PathPart::Kind::Text, alias}});
        }
        for (std::vector<PathPart>& path : paths) {
            const auto bytes = gatherTensor(input.checkpoint(), tensor, kLargest, input.job);
            if (!bytes)
                break;
            const auto done = collectPickledValues(std::string(bytes->begin(), bytes->end()),
                std::move(path), tensor.name, all, input.job);
            if (!done)
                return all;
        }
    }
    return all;
}

void judgeInverses(const FileRuleInput& input, const Checkpoint& checkpoint)
{
    constexpr double kTolerance = 1e-3;
    const TensorIndex index = indexTensors(checkpoint);
    for (const CheckpointTensor& inverse : checkpoint.tensors) {
        const CheckpointTensor* scale
            = findTensor(checkpoint, index, withLast(inverse.name, "scale_inv", "scale"));
        if (scale == nullptr || scale->shape != inverse.shape)
            continue;
        const std::vector<double> scales = smallValues(checkpoint, *scale, input.job);
        const std::vector<double> inverses = smallValues(checkpoint, inverse, input.job);
        CheckpointWarning warning;
        for (std::size_t i = 0; i < std::min(scales.size(), inverses.size()); ++i) {
            if (within(scales[i] * inverses[i], 1.0, kTolerance))
                continue;
            if (!warning.index) {
                warning.index = static_cast<std::int64_t>(i);
                warning.value = inverses[i];
                warning.limit = 1.0 / scales[i];
            }
            warning.count = warning.count.value_or(0) + 1;
        }
        if (!warning.index)
            continue;
        warning.code = "fp8-scale-inverse";
        warning.tensor = inverse.name;
        warning.text = fmt::format("{} is not the inverse of {}: {} at index {}, {} would fit.",
            inverse.name, scale->name, shortNumber(*warning.value), *warning.index,
            shortNumber(*warning.limit));
        input.warnings.push_back(std::move(warning));
    }
}

void judgeHistories(const FileRuleInput& input, const Checkpoint& metas)
{
    constexpr double kTooSmall = 2.0;  // the weights exceed what was recorded by this factor
    const TensorIndex index = indexTensors(input.checkpoint());
    for (const CheckpointTensor& history : metas.tensors) {
        if (!history.name.ends_with("amax_history_fwd") && !history.name.ends_with("weight_amax"))
            continue;
        std::string name = withLast(history.name, "_extra_state.amax_history_fwd", "weight");
        if (name.empty())
            name = withLast(history.name, "amax_history_fwd", "weight");
        if (name.empty())
            name = withLast(history.name, "weight_amax", "weight");
        const auto weight = index.find(name);
        const double recorded = recordedAmax(smallValues(metas, history, input.job), history);
        if (weight == index.end() || !(recorded > 0.0))
            continue;
        const double actual = largestSize(input.scan.tensors[weight->second].stats);
        if (!exceeds(actual, kTooSmall * recorded))
            continue;
        CheckpointWarning warning;
        warning.code = "fp8-amax-stale";
        warning.tensor = name;
        warning.value = actual;
        warning.limit = recorded;
        warning.text = fmt::format("The largest weight of {} is {}, but its fp8 scale was made for "
                                   "{}: {} times too small, larger values are cut.",
            name, shortNumber(actual), shortNumber(recorded), shortNumber(actual / recorded, 3));
        input.warnings.push_back(std::move(warning));
    }
}

}  // namespace

void judgeZeroScales(const FileRuleInput& input)
{
    for (std::size_t t = 0; t < input.scan.tensors.size(); ++t) {
        const CheckpointTensor& tensor = input.checkpoint().tensors[t];
        const ValueStats& stats = input.scan.tensors[t].stats;
        const bool isGain = isNormGain(tensor);
        // A gain that is zero throughout is stored as a distance from one, or starts at zero.
        const bool suspicious = stats.zeros > 0
            && (isGain ? stats.zeros < stats.values
                       : isDivisor(tensor) || tensor.kind == TensorKind::Scaler);
        const bool isCounter = tensor.name.ends_with("growth_tracker");
        if (!suspicious || isCounter)
            continue;
        CheckpointWarning warning;
        warning.code = "zero-scale";
        warning.tensor = tensor.name;
        warning.count = stats.zeros;
        warning.value = 0.0;
        warning.index = firstZero(input, tensor);
        warning.text = fmt::format("{} of {} values of {} are exactly 0; {}", stats.zeros,
            stats.values, tensor.name,
            isGain ? "a kernel that divides by the gain makes NaN of them."
                   : "dividing by such a scale gives infinity or NaN.");
        input.warnings.push_back(std::move(warning));
    }
    judgeZeroLossScale(input);
}

void judgeFp8Inverse(const FileRuleInput& input)
{
    judgeInverses(input, input.checkpoint());
    judgeInverses(input, extraStates(input));
}

void judgeFp8Amax(const FileRuleInput& input)
{
    judgeHistories(input, input.checkpoint());
    judgeHistories(input, extraStates(input));
}

}  // namespace firstbad::core
