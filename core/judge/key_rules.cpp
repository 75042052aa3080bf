// SPDX-License-Identifier: GPL-3.0-or-later
// Names that should be there: what most layers have and few lack; copies on ranks that must agree;
// saves that were made to look at a fault, not to go on from.
#include "core/base/text.h"
#include "core/judge/rules.h"
#include "core/judge/tensor_names.h"
#include "core/scan/tensor_stream.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostTold = 100;

using LayerNames = std::map<std::int64_t, std::set<std::string>>;  // what follows the layer number

std::map<std::string, LayerNames> stacksOf(const Checkpoint& checkpoint)
{
    std::map<std::string, LayerNames> stacks;
    for (const CheckpointTensor& tensor : checkpoint.tensors) {
        const bool isModel = tensor.kind == TensorKind::Param || tensor.kind == TensorKind::Buffer
            || tensor.kind == TensorKind::Other;
        if (!isModel)
            continue;
        std::vector<std::string> names(tensor.aliases);
        names.push_back(tensor.name);
        for (const std::string& full : names) {
            if (auto name = layerOf(full))
                stacks[name->before][name->layer].insert(name->after);
        }
    }
    return stacks;
}

/// What more than half of the layers have.
std::set<std::string> usualNames(const LayerNames& layers)
{
    std::map<std::string, std::size_t> counts;
    for (const auto& [layer, names] : layers) {
        for (const std::string& name : names)
            ++counts[name];
    }
    std::set<std::string> usual;
    for (const auto& [name, count] : counts) {
        if (2 * count > layers.size())
            usual.insert(name);
    }
    return usual;
}

void warnMissing(const FileRuleInput& input, const std::string& name)
{
    if (input.warnings.size() > kMostTold)
        return;
    CheckpointWarning warning;
    warning.code = "missing-keys";
    warning.tensor = name;
    warning.text = fmt::format("{} is not there, though most other layers have it.", name);
    input.warnings.push_back(std::move(warning));
}

void judgeStack(const FileRuleInput& input, const std::string& before, const LayerNames& layers)
{
    constexpr std::size_t kFewest = 4;
    if (layers.size() < kFewest)
        return;
    const std::set<std::string> usual = usualNames(layers);
    for (std::int64_t layer = layers.begin()->first; layer <= layers.rbegin()->first; ++layer) {
        const auto found = layers.find(layer);
        if (found == layers.end()) {
            warnMissing(input, fmt::format("{}{}.", before, layer));
            continue;
        }
        // A layer with names of its own is of another kind (hybrid models): it lacks nothing.
        const bool isOther = std::any_of(found->second.begin(), found->second.end(),
            [&](const std::string& name) { return usual.count(name) == 0; });
        if (isOther)
            continue;
        for (const std::string& name : usual) {
            if (found->second.count(name) == 0)
                warnMissing(input, fmt::format("{}{}{}", before, layer, name));
        }
    }
}

/// The rest of a name behind "mp_rank_00", and the tensor-parallel rank; empty when it has none.
struct RankName {
    std::string rank;
    std::string stage;  ///< "_000" of pipelines
    std::string rest;
};

RankName rankNameOf(const std::string& name)
{
    constexpr std::string_view kWord = "mp_rank_";
    if (!name.starts_with(kWord))
        return {};
    std::size_t end = kWord.size();
    while (end < name.size() && isAsciiDigit(name[end]))
        ++end;
    const std::size_t dot = name.find('.');
    if (end == kWord.size() || dot == std::string::npos || dot < end)
        return {};
    return {name.substr(0, dot), name.substr(end, dot - end), name.substr(dot)};
}

/// Tensors that tensor parallelism copies: norms, and biases that are added after the reduce.
bool isReplicated(const CheckpointTensor& tensor)
{
    constexpr std::array<std::string_view, 5> kAfterReduce{"attention.dense.bias",
        "dense_4h_to_h.bias", "linear_proj.bias", "linear_fc2.bias", "position_embeddings.weight"};
    const bool isBias = std::any_of(kAfterReduce.begin(), kAfterReduce.end(),
        [&](std::string_view word) { return tensor.name.ends_with(word); });
    return tensor.kind == TensorKind::Param
        && (isBias || isNormGain(tensor)
            || (tensor.shape.size() == 1 && containsIgnoringCase(tensor.name, "norm")));
}

bool holdsForensicWord(const std::string& text)
{
    constexpr std::array<std::string_view, 9> kWords{"forensic", "will_rerun", "rerunning",
        "rerun_from_checkpoint", "on_exception", "fault_handler", "crash_dump", "emergency",
        "rerunning_in_place"};
    return std::any_of(kWords.begin(), kWords.end(),
        [&](std::string_view word) { return containsIgnoringCase(text, word); });
}

void warnForensic(const FileRuleInput& input, const std::string& text)
{
    CheckpointWarning warning;
    warning.code = "forensic";
    warning.text = text;
    input.warnings.push_back(std::move(warning));
}

}  // namespace

void judgeMissingKeys(const FileRuleInput& input)
{
    for (const auto& [before, layers] : stacksOf(input.checkpoint()))
        judgeStack(input, before, layers);
}

void judgeReplicas(const FileRuleInput& input)
{
    const Checkpoint& checkpoint = input.checkpoint();
    std::map<std::string, const CheckpointTensor*> firsts;
    for (const CheckpointTensor& tensor : checkpoint.tensors) {
        const RankName name = rankNameOf(tensor.name);
        if (name.rank.empty() || !isReplicated(tensor))
            continue;
        const auto [known, isFirst] = firsts.emplace(name.stage + name.rest, &tensor);
        const CheckpointTensor& first = *known->second;
        if (isFirst || first.type != tensor.type || first.shape != tensor.shape)
            continue;
        const auto same = holdSameBytes(checkpoint, tensor, checkpoint, first, input.job);
        if (!same || *same)
            continue;
        CheckpointWarning warning;
        warning.code = "replica-mismatch";
        warning.tensor = tensor.name;
        warning.text = fmt::format("{} and {} are copies of one tensor and differ: the ranks have "
                                   "drifted apart.",
            tensor.name, first.name);
        input.warnings.push_back(std::move(warning));
    }
}

void judgeForensic(const FileRuleInput& input)
{
    const Checkpoint& checkpoint = input.checkpoint();
    const std::size_t slash = checkpoint.path.find_last_of('/', checkpoint.path.size() - 2);
    const std::string name
        = slash == std::string::npos ? checkpoint.path : checkpoint.path.substr(slash + 1);
    if (holdsForensicWord(name))
        return warnForensic(
            input, fmt::format("The name {} says that it was saved because of a fault.", name));
    for (const CheckpointText& text : checkpoint.texts) {
        const bool isState = containsIgnoringCase(text.name, "rerun")
            || containsIgnoringCase(text.name, "state") || containsIgnoringCase(text.name, "tag")
            || containsIgnoringCase(text.name, "reason");
        if (isState && holdsForensicWord(text.value))
            return warnForensic(input,
                fmt::format("{} is {}: it was saved while a fault was looked into.", text.name,
                    text.value));
    }
    for (const CheckpointScalar& scalar : checkpoint.scalars) {
        constexpr double kRerunToDisambiguate = 16.0;
        constexpr double kRerunFromCheckpoint = 17.0;
        if (scalar.name.ends_with("exit_code")
            && (scalar.value == kRerunToDisambiguate || scalar.value == kRerunFromCheckpoint))
            return warnForensic(input,
                fmt::format("{} is {}: it was saved to repeat a step that failed, not to go on "
                            "from.",
                    scalar.name, shortNumber(scalar.value)));
    }
}

}  // namespace firstbad::core
