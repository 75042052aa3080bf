// SPDX-License-Identifier: GPL-3.0-or-later
// A save against the one it came from. Counts are compared first; bytes are read again only where
// they leave a question.
#include "core/base/text.h"
#include "core/base/value_kind.h"
#include "core/finite/float_format.h"
#include "core/judge/rules.h"
#include "core/judge/tensor_names.h"
#include "core/scan/tensor_stream.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostNames = 100;

struct Pair {
    std::size_t child = 0;
    std::size_t parent = 0;
};

/// Tensors of the model that both have.
std::vector<Pair> commonTensors(const ParentRuleInput& input, bool onlyModel)
{
    const TensorIndex index = indexTensors(input.parent.checkpoint);
    std::vector<Pair> pairs;
    const auto& tensors = input.scan.checkpoint.tensors;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        const auto found = index.find(tensors[t].name);
        const bool wanted = !onlyModel || tensors[t].kind == TensorKind::Param
            || tensors[t].kind == TensorKind::Buffer || tensors[t].kind == TensorKind::Other;
        if (wanted && found != index.end())
            pairs.push_back({t, found->second});
    }
    return pairs;
}

bool isSameBytes(const ParentRuleInput& input, const Pair& pair)
{
    const CheckpointTensor& child = input.scan.checkpoint.tensors[pair.child];
    const CheckpointTensor& parent = input.parent.checkpoint.tensors[pair.parent];
    if (child.type != parent.type || child.shape != parent.shape
        || input.scan.tensors[pair.child].stats != input.parent.tensors[pair.parent].stats)
        return false;
    const auto same
        = holdSameBytes(input.scan.checkpoint, child, input.parent.checkpoint, parent, input.job);
    return same && *same;
}

/// One over another's direction; nullopt when one of them has no length.
std::optional<double> cosineOf(const ParentRuleInput& input, const Pair& pair)
{
    constexpr std::uint64_t kEnough = 1U << 20U;
    double dot = 0.0;
    double left = 0.0;
    double right = 0.0;
    const auto done = visitPairs(input.scan.checkpoint, input.scan.checkpoint.tensors[pair.child],
        input.parent.checkpoint, input.parent.checkpoint.tensors[pair.parent], input.job,
        [&](std::uint64_t first, std::span<const double> values, std::span<const double> others) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (!isFinite(values[i]) || !isFinite(others[i]))
                    continue;
                dot += values[i] * others[i];
                left += values[i] * values[i];
                right += others[i] * others[i];
            }
            return first + values.size() < kEnough;
        });
    if (!done || !(left > 0.0) || !(right > 0.0))
        return std::nullopt;
    return dot / std::sqrt(left) / std::sqrt(right);
}

void warnKeys(const ParentRuleInput& input, const CheckpointScan& has, const CheckpointScan& lacks,
    std::string_view code, std::string_view text)
{
    const TensorIndex index = indexTensors(lacks.checkpoint);
    std::size_t told = 0;
    for (const CheckpointTensor& tensor : has.checkpoint.tensors) {
        const bool isModel = tensor.kind == TensorKind::Param || tensor.kind == TensorKind::Buffer;
        if (!isModel || index.count(tensor.name) > 0 || ++told > kMostNames)
            continue;
        CheckpointWarning warning;
        warning.code = code;
        warning.tensor = tensor.name;
        warning.text = fmt::format("{} {}", tensor.name, text);
        input.warnings.push_back(std::move(warning));
    }
}

}  // namespace

void compareTypes(const ParentRuleInput& input)
{
    for (const Pair& pair : commonTensors(input, true)) {
        const CheckpointTensor& child = input.scan.checkpoint.tensors[pair.child];
        const CheckpointTensor& parent = input.parent.checkpoint.tensors[pair.parent];
        if (child.type == parent.type)
            continue;
        CheckpointWarning warning;
        warning.code = "dtype-drift";
        warning.tensor = child.name;
        warning.text = fmt::format("{} is {}, in its parent {} it is {}.", child.name,
            elementTypeInfo(child.type).name, input.parent.checkpoint.path,
            elementTypeInfo(parent.type).name);
        input.warnings.push_back(std::move(warning));
    }
}

void compareZeros(const ParentRuleInput& input)
{
    for (const Pair& pair : commonTensors(input, false)) {
        const CheckpointTensor& child = input.scan.checkpoint.tensors[pair.child];
        const CheckpointTensor& parent = input.parent.checkpoint.tensors[pair.parent];
        const bool worthReading = input.parent.tensors[pair.parent].stats.nonfinite() > 0
            && input.scan.tensors[pair.child].stats.zeros > 0 && child.shape == parent.shape
            && floatFormat(child.type) != nullptr && floatFormat(parent.type) != nullptr;
        if (!worthReading)
            continue;
        CheckpointWarning warning;
        std::uint64_t count = 0;
        const auto done
            = visitPairs(input.scan.checkpoint, child, input.parent.checkpoint, parent, input.job,
                [&](std::uint64_t first, std::span<const double> values,
                    std::span<const double> others) {
                    for (std::size_t i = 0; i < values.size(); ++i) {
                        if (values[i] != 0.0 || isFinite(others[i]))
                            continue;
                        if (!warning.index)
                            warning.index = static_cast<std::int64_t>(first + i);
                        ++count;
                    }
                    return true;
                });
        if (!done || count == 0)
            continue;
        warning.code = "exact-zeros-from-nan";
        warning.tensor = child.name;
        warning.count = count;
        warning.text
            = fmt::format("{} values of {} are exactly 0 where {} holds NaN or infinities: "
                          "they were replaced, not repaired.",
                count, child.name, input.parent.checkpoint.path);
        input.warnings.push_back(std::move(warning));
    }
}

void compareBytes(const ParentRuleInput& input)
{
    std::vector<std::size_t> same;
    std::size_t compared = 0;
    for (const Pair& pair : commonTensors(input, true)) {
        if (input.scan.checkpoint.tensors[pair.child].kind != TensorKind::Param
            || input.scan.tensors[pair.child].stats.values == 0)
            continue;
        ++compared;
        if (isSameBytes(input, pair))
            same.push_back(pair.child);
    }
    if (same.empty())
        return;
    if (same.size() == compared) {
        CheckpointWarning warning;
        warning.code = "duplicate";
        warning.count = same.size();
        warning.text
            = fmt::format("All {} parameters equal those of {} in every bit: no update was "
                          "applied in between.",
                same.size(), input.parent.checkpoint.path);
        input.warnings.push_back(std::move(warning));
        return;
    }
    for (std::size_t i = 0; i < std::min(same.size(), kMostNames); ++i) {
        CheckpointWarning warning;
        warning.code = "unchanged";
        warning.tensor = input.scan.checkpoint.tensors[same[i]].name;
        warning.text = fmt::format("{} equals its parent in every bit, while {} other parameters "
                                   "moved: frozen, or its updates are too small for its type.",
            warning.tensor, compared - same.size());
        input.warnings.push_back(std::move(warning));
    }
}

void compareDirection(const ParentRuleInput& input)
{
    constexpr double kUnrelated = 0.3;
    constexpr double kClose = 0.7;
    constexpr std::uint64_t kFewest = 64;
    std::vector<std::pair<std::size_t, double>> unrelated;
    std::size_t close = 0;
    for (const Pair& pair : commonTensors(input, true)) {
        const CheckpointTensor& child = input.scan.checkpoint.tensors[pair.child];
        const CheckpointTensor& parent = input.parent.checkpoint.tensors[pair.parent];
        if (child.kind != TensorKind::Param || child.shape.size() < 2 || child.shape != parent.shape
            || input.scan.tensors[pair.child].elements < kFewest
            || floatFormat(child.type) == nullptr || floatFormat(parent.type) == nullptr)
            continue;
        const auto cosine = cosineOf(input, pair);
        if (!cosine)
            continue;
        close += *cosine >= kClose ? 1U : 0U;
        if (std::fabs(*cosine) < kUnrelated)
            unrelated.emplace_back(pair.child, *cosine);
    }
    if (close <= unrelated.size())
        return;  // everything moved: another training, or far from the start of this one
    for (const auto& [t, cosine] : unrelated) {
        CheckpointWarning warning;
        warning.code = "reinitialised";
        warning.tensor = input.scan.checkpoint.tensors[t].name;
        warning.value = cosine;
        warning.limit = kUnrelated;
        warning.text
            = fmt::format("{} has nothing to do with its parent (cosine {}), while {} other "
                          "tensors are close to theirs: it was initialised again.",
                warning.tensor, shortNumber(cosine, 2), close);
        input.warnings.push_back(std::move(warning));
    }
}

void compareKeys(const ParentRuleInput& input)
{
    if (commonTensors(input, true).empty())
        return;  // two different models
    warnKeys(input, input.parent, input.scan, "missing-keys", "is in the parent and not here.");
    warnKeys(input, input.scan, input.parent, "extra-keys", "is not in the parent.");
}

}  // namespace firstbad::core
