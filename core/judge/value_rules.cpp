// SPDX-License-Identifier: GPL-3.0-or-later
// Values that are finite and still wrong: beyond the type they will be cast to, zero where a save
// was not written, non-finite in bytes that no tensor shows.
#include "core/base/text.h"
#include "core/finite/float_format.h"
#include "core/judge/rules.h"
#include "core/judge/tensor_names.h"
#include "core/scan/tensor_stream.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Half-way between the largest fp16 value and the next: from here on a cast gives infinity.
constexpr double kHalfOverflow = 65520.0;

bool isHalfModel(const Checkpoint& checkpoint)
{
    return std::any_of(
        checkpoint.texts.begin(), checkpoint.texts.end(), [](const CheckpointText& text) {
            return text.name.ends_with("torch_dtype")
                && (text.value == "float16" || text.value == "torch.float16");
        });
}

bool isMatrix(const CheckpointTensor& tensor)
{
    return tensor.kind == TensorKind::Param && tensor.shape.size() >= 2;
}

/// Adapters and gates that begin at zero by design.
bool beginsAtZero(const CheckpointTensor& tensor)
{
    return containsIgnoringCase(tensor.name, "lora_b") || containsIgnoringCase(tensor.name, "zero")
        || containsIgnoringCase(tensor.name, "gate") || containsIgnoringCase(tensor.name, "adaln")
        || containsIgnoringCase(tensor.name, "modulation");
}

bool isAllZero(const ValueStats& stats)
{
    return stats.values > 0 && stats.zeros == stats.values;
}

/// Zeros at the end of a tensor, up to `most`.
std::uint64_t trailingZeros(const FileRuleInput& input, const CheckpointTensor& tensor)
{
    std::uint64_t zeros = 0;
    const auto done = visitValues(
        input.checkpoint(), tensor, input.job, [&](std::uint64_t, std::span<const double> values) {
            const auto last = std::find_if(
                values.rbegin(), values.rend(), [](double value) { return value != 0.0; });
            const auto run = static_cast<std::uint64_t>(last - values.rbegin());
            zeros = run == values.size() ? zeros + run : run;
            return true;
        });
    return done ? zeros : 0;
}

/// Tensors of one piece by file and place, the last first.
std::vector<std::size_t> backwardsInFile(const Checkpoint& checkpoint, std::uint32_t file)
{
    std::vector<std::size_t> order;
    for (std::size_t t = 0; t < checkpoint.tensors.size(); ++t) {
        const auto& pieces = checkpoint.tensors[t].pieces;
        if (pieces.size() == 1 && floatFormat(checkpoint.tensors[t].type) != nullptr
            && checkpoint.storages[pieces[0].storage].file == file
            && checkpoint.storages[pieces[0].storage].coding == StorageCoding::Raw)
            order.push_back(t);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const TensorPiece& left = checkpoint.tensors[a].pieces[0];
        const TensorPiece& right = checkpoint.tensors[b].pieces[0];
        const std::uint64_t leftPlace = checkpoint.storages[left.storage].offset;
        const std::uint64_t rightPlace = checkpoint.storages[right.storage].offset;
        return leftPlace != rightPlace ? leftPlace > rightPlace
                                       : left.storageOffset > right.storageOffset;
    });
    return order;
}

void judgeTailOf(const FileRuleInput& input, std::uint32_t file)
{
    constexpr std::uint64_t kFewest = 64;
    constexpr std::uint64_t kShare = 10;  // a tenth of the tensor
    const Checkpoint& checkpoint = input.checkpoint();
    std::uint64_t emptyMatrices = 0;
    for (const std::size_t t : backwardsInFile(checkpoint, file)) {
        const CheckpointTensor& tensor = checkpoint.tensors[t];
        const ValueStats& stats = input.scan.tensors[t].stats;
        if (stats.values == 0 || isAllZero(stats)) {
            emptyMatrices += isMatrix(tensor) && stats.values > 0 ? 1U : 0U;
            continue;
        }
        const std::uint64_t zeros = stats.zeros == 0 ? 0 : trailingZeros(input, tensor);
        const bool isPadding = isEmbedding(tensor) && emptyMatrices == 0;
        const bool isTorn = zeros >= kFewest && zeros >= stats.values / kShare && !isPadding
            && tensor.kind == TensorKind::Param;
        if (!isTorn && (emptyMatrices == 0 || zeros == 0))
            return;
        CheckpointWarning warning;
        warning.code = "zero-tail";
        warning.tensor = tensor.name;
        warning.index = static_cast<std::int64_t>(stats.values - zeros);
        warning.count = zeros;
        warning.file = checkpoint.files[file].path;
        warning.text = fmt::format("{} is zero from value {} to its end{}: the save may not have "
                                   "been written in full.",
            tensor.name, stats.values - zeros,
            emptyMatrices > 0
                ? fmt::format(", and so are {} tensors behind it in the file", emptyMatrices)
                : std::string());
        input.warnings.push_back(std::move(warning));
        return;
    }
}

}  // namespace

void judgeCast(const FileRuleInput& input)
{
    if (!isHalfModel(input.checkpoint()))
        return;
    for (std::size_t t = 0; t < input.scan.tensors.size(); ++t) {
        const CheckpointTensor& tensor = input.checkpoint().tensors[t];
        const ValueStats& stats = input.scan.tensors[t].stats;
        const double size = std::max(
            std::fabs(stats.smallest.value_or(0.0)), std::fabs(stats.largest.value_or(0.0)));
        if ((tensor.kind != TensorKind::Param && tensor.kind != TensorKind::Master)
            || !(size >= kHalfOverflow))
            continue;
        CheckpointWarning warning;
        std::uint64_t count = 0;
        const auto done = visitValues(input.checkpoint(), tensor, input.job,
            [&](std::uint64_t first, std::span<const double> values) {
                for (std::size_t i = 0; i < values.size(); ++i) {
                    if (!(std::fabs(values[i]) >= kHalfOverflow))
                        continue;
                    if (!warning.index)
                        warning.index = static_cast<std::int64_t>(first + i);
                    ++count;
                }
                return true;
            });
        warning.code = "cast-overflow";
        warning.tensor = tensor.name;
        warning.count = done && count > 0 ? std::optional(count) : std::nullopt;
        warning.value = size;
        warning.limit = 65504.0;
        warning.text = fmt::format("{} holds values up to {}; the config says float16, where "
                                   "anything from 65,520 on becomes infinite.",
            tensor.name, shortNumber(size));
        input.warnings.push_back(std::move(warning));
    }
}

void judgeAllZero(const FileRuleInput& input)
{
    constexpr std::uint64_t kFewest = 16;
    std::uint64_t matrices = 0;
    std::vector<std::size_t> empty;
    for (std::size_t t = 0; t < input.scan.tensors.size(); ++t) {
        const CheckpointTensor& tensor = input.checkpoint().tensors[t];
        const ValueStats& stats = input.scan.tensors[t].stats;
        if (!isMatrix(tensor) || stats.values < kFewest)
            continue;
        ++matrices;
        if (isAllZero(stats) && !beginsAtZero(tensor))
            empty.push_back(t);
    }
    if (matrices > 1 && empty.size() == matrices) {
        CheckpointWarning warning;
        warning.code = "all-zero";
        warning.count = empty.size();
        warning.text = "Every weight is 0: the file is a placeholder without weights.";
        input.warnings.push_back(std::move(warning));
        return;
    }
    for (const std::size_t t : empty) {
        CheckpointWarning warning;
        warning.code = "all-zero";
        warning.tensor = input.checkpoint().tensors[t].name;
        warning.count = input.scan.tensors[t].stats.values;
        warning.text = fmt::format("All {} values of {} are 0.", *warning.count, warning.tensor);
        input.warnings.push_back(std::move(warning));
    }
}

void judgeZeroTail(const FileRuleInput& input)
{
    for (std::uint32_t f = 0; f < input.checkpoint().files.size(); ++f)
        judgeTailOf(input, f);
}

void judgeUnreferenced(const FileRuleInput& input)
{
    for (const UnreferencedBytes& slack : input.scan.unreferenced) {
        if (slack.stats.nonfinite() == 0)
            continue;
        const Storage& storage = input.checkpoint().storages[slack.storage];
        CheckpointWarning warning;
        warning.code = "unreferenced-nonfinite";
        warning.count = slack.stats.nonfinite();
        warning.file = input.checkpoint().files[storage.file].path;
        warning.text = fmt::format(
            "{} non-finite values lie in bytes of {} that no tensor shows; no tensor is bad for "
            "them.",
            slack.stats.nonfinite(), storage.member);
        input.warnings.push_back(std::move(warning));
    }
}

}  // namespace firstbad::core
