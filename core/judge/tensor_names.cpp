// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/tensor_names.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <vector>

namespace firstbad::core {
namespace {

/// The name at its dots: keys may hold whole dotted names.
std::vector<std::string_view> wordsOf(std::string_view name)
{
    std::vector<std::string_view> words;
    while (!name.empty()) {
        const std::size_t dot = std::min(name.find('.'), name.size());
        words.push_back(name.substr(0, dot));
        name.remove_prefix(std::min(dot + 1, name.size()));
    }
    return words;
}

bool namesNorm(std::string_view word)
{
    constexpr std::array<std::string_view, 6> kShort{"ln", "ln1", "ln2", "ln_1", "ln_2", "ln_f"};
    const std::string lower = toLowerAscii(word);
    return lower.find("norm") != std::string::npos
        || std::find(kShort.begin(), kShort.end(), lower) != kShort.end();
}

}  // namespace

bool isNormGain(const CheckpointTensor& tensor)
{
    constexpr std::array<std::string_view, 5> kGains{
        "weight", "scale", "gamma", "g", "layer_norm_weight"};
    if (tensor.kind != TensorKind::Param || tensor.shape.size() != 1)
        return false;
    const auto words = wordsOf(tensor.name);
    if (words.size() < 2 || std::find(kGains.begin(), kGains.end(), words.back()) == kGains.end())
        return words.size() == 1 && words[0] == "layer_norm_weight";
    return words.back() == "layer_norm_weight" || namesNorm(words[words.size() - 2]);
}

bool isDivisor(const CheckpointTensor& tensor)
{
    constexpr std::array<std::string_view, 8> kExact{"scale", "scales", "scale_fwd", "scale_bwd",
        "weight_scale", "input_scale", "weight_scale_inv", "scaling_factor"};
    const auto words = wordsOf(tensor.name);
    if (words.empty() || isNormGain(tensor))
        return false;
    const std::string last = toLowerAscii(words.back());
    const bool isExact = std::find(kExact.begin(), kExact.end(), last) != kExact.end();
    const bool isNorm = words.size() > 1 && namesNorm(words[words.size() - 2]);
    return last.starts_with("absmax") || last.starts_with("scale_inv") || (isExact && !isNorm);
}

bool isEmbedding(const CheckpointTensor& tensor)
{
    constexpr std::array<std::string_view, 6> kNames{
        "embed", "wte", "lm_head", "output_layer", "emb.weight", "head.weight"};
    const bool fits = tensor.kind == TensorKind::Param && tensor.shape.size() == 2;
    return fits && std::any_of(kNames.begin(), kNames.end(), [&](std::string_view word) {
        return containsIgnoringCase(tensor.name, word);
    });
}

std::optional<LayerName> layerOf(const std::string& name)
{
    constexpr std::array<std::string_view, 7> kLists{
        "layers", "layer", "blocks", "block", "h", "resblocks", "encoder"};
    std::size_t at = 0;
    std::string_view before;
    for (const std::string_view word : wordsOf(name)) {
        const bool isNumber = !word.empty() && std::all_of(word.begin(), word.end(), isAsciiDigit);
        if (isNumber && std::find(kLists.begin(), kLists.end(), before) != kLists.end()) {
            if (const auto layer = parseInteger(word))
                return LayerName{name.substr(0, at), *layer,
                    name.substr(std::min(at + word.size(), name.size()))};
        }
        before = word;
        at += word.size() + 1;
    }
    return std::nullopt;
}

TensorIndex indexTensors(const Checkpoint& checkpoint)
{
    TensorIndex index;
    for (std::size_t t = 0; t < checkpoint.tensors.size(); ++t) {
        index.emplace(checkpoint.tensors[t].name, t);
        for (const std::string& alias : checkpoint.tensors[t].aliases)
            index.emplace(alias, t);
    }
    return index;
}

const CheckpointTensor* findTensor(
    const Checkpoint& checkpoint, const TensorIndex& index, const std::string& name)
{
    const auto found = index.find(name);
    return found == index.end() ? nullptr : &checkpoint.tensors[found->second];
}

std::string withLast(const std::string& text, std::string_view from, std::string_view to)
{
    const std::size_t at = text.rfind(from);
    if (at == std::string::npos)
        return {};
    std::string changed = text;
    return changed.replace(at, from.size(), to);
}

}  // namespace firstbad::core
