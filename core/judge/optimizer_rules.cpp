// SPDX-License-Identifier: GPL-3.0-or-later
// Moments of Adam and its kin: what no update can have left behind.
#include "core/base/text.h"
#include "core/finite/float_format.h"
#include "core/judge/rules.h"
#include "core/judge/tensor_names.h"
#include "core/scan/tensor_stream.h"

#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

bool isSecondMoment(const CheckpointTensor& tensor)
{
    constexpr std::array<std::string_view, 4> kNames{
        "exp_avg_sq", "square_avg", "max_exp_avg_sq", "nu"};
    for (const std::string_view name : kNames) {
        if (tensor.name.ends_with("." + std::string(name))
            || tensor.name.find("." + std::string(name) + ".") != std::string::npos)
            return true;
    }
    return false;
}

struct Found {
    std::uint64_t count = 0;
    std::optional<std::int64_t> first;
    void add(std::uint64_t at)
    {
        if (!first)
            first = static_cast<std::int64_t>(at);
        ++count;
    }
};

Found findNegative(const FileRuleInput& input, const CheckpointTensor& tensor)
{
    Found found;
    const auto done = visitValues(input.checkpoint(), tensor, input.job,
        [&](std::uint64_t at, std::span<const double> values) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (values[i] < 0.0)
                    found.add(at + i);
            }
            return true;
        });
    static_cast<void>(done);  // what could not be read is told by the scan
    return found;
}

}  // namespace

void judgeSecondMoments(const FileRuleInput& input)
{
    for (std::size_t t = 0; t < input.scan.tensors.size(); ++t) {
        const CheckpointTensor& tensor = input.checkpoint().tensors[t];
        const auto& smallest = input.scan.tensors[t].stats.smallest;
        if (!smallest || !(*smallest < 0.0) || !isSecondMoment(tensor))
            continue;
        const Found found = findNegative(input, tensor);
        CheckpointWarning warning;
        warning.code = "negative-second-moment";
        warning.tensor = tensor.name;
        warning.index = found.first;
        warning.count = found.count;
        warning.value = *smallest;
        warning.limit = 0.0;
        warning.text = fmt::format(
            "{} holds negative values (smallest {}): an average of squares cannot be below 0.",
            tensor.name, shortNumber(*smallest));
        input.warnings.push_back(std::move(warning));
    }
}

void judgeMomentUnderflow(const FileRuleInput& input)
{
    const Checkpoint& checkpoint = input.checkpoint();
    const TensorIndex index = indexTensors(checkpoint);
    for (std::size_t t = 0; t < input.scan.tensors.size(); ++t) {
        const CheckpointTensor& second = checkpoint.tensors[t];
        if (input.scan.tensors[t].stats.zeros == 0 || !isSecondMoment(second))
            continue;
        const CheckpointTensor* first
            = findTensor(checkpoint, index, withLast(second.name, "exp_avg_sq", "exp_avg"));
        if (first == nullptr || first->shape != second.shape || floatFormat(first->type) == nullptr)
            continue;
        Found found;
        const auto done = visitPairs(checkpoint, second, checkpoint, *first, input.job,
            [&](std::uint64_t at, std::span<const double> squares, std::span<const double> means) {
                for (std::size_t i = 0; i < squares.size(); ++i) {
                    if (squares[i] == 0.0 && means[i] != 0.0)
                        found.add(at + i);
                }
                return true;
            });
        if (!done || found.count == 0)
            continue;
        CheckpointWarning warning;
        warning.code = "moment-underflow";
        warning.tensor = second.name;
        warning.index = found.first;
        warning.count = found.count;
        warning.text
            = fmt::format("{} values of {} are 0 where {} is not: the squares were lost in "
                          "the type, the next update divides by epsilon alone.",
                found.count, second.name, first->name);
        input.warnings.push_back(std::move(warning));
    }
}

}  // namespace firstbad::core
