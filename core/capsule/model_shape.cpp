// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capsule/model_shape.h"

#include "core/base/json_members.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

/// What a family calls its sizes and weights; empty: it has none.
struct FamilyNames {
    std::string_view family;
    std::string_view blocks, hidden, heads, keyValueHeads, vocabulary, positions, normEps;
    std::string_view embedding, positionTable, head, blockPrefix, optionalPrefix;
    bool tiedByDefault;
    bool wholeMask;
};

constexpr std::array<FamilyNames, 3> kFamilies{{
    {"gpt2", "n_layer", "n_embd", "n_head", "", "vocab_size", "n_positions", "layer_norm_epsilon",
        "transformer.wte.weight", "transformer.wpe.weight", "lm_head.weight", "transformer.h.",
        "transformer.", true, false},
    {"llama", "num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads",
        "vocab_size", "", "rms_norm_eps", "model.embed_tokens.weight", "", "lm_head.weight",
        "model.layers.", "", false, false},
    {"glm", "num_layers", "hidden_size", "num_attention_heads", "", "vocab_size", "",
        "layernorm_epsilon", "transformer.word_embeddings.weight", "", "", "transformer.layers.",
        "", true, true},
}};

std::optional<std::int64_t> sizeOf(const JsonMembers& config, std::string_view name)
{
    return name.empty() ? std::nullopt : config.optionalInteger(name);
}

}  // namespace

std::vector<std::string_view> knownFamilies()
{
    std::vector<std::string_view> names;
    for (const auto& family : kFamilies)
        names.push_back(family.family);
    return names;
}

ModelShape modelShape(const Capsule& capsule)
{
    ModelShape shape;
    const auto* names = std::find_if(kFamilies.begin(), kFamilies.end(),
        [&](const FamilyNames& family) { return family.family == capsule.family; });
    const auto document = parseJson(capsule.configJson);
    if (names == kFamilies.end() || !document)
        return shape;
    std::string problem;
    const JsonMembers config(*document, "config", problem);
    shape.known = true;
    shape.blocks = sizeOf(config, names->blocks);
    shape.hidden = sizeOf(config, names->hidden);
    shape.heads = sizeOf(config, names->heads);
    shape.keyValueHeads = sizeOf(config, names->keyValueHeads);
    shape.vocabulary = sizeOf(config, names->vocabulary);
    shape.positions = sizeOf(config, names->positions);
    shape.normEps = config.optionalNumber(names->normEps);
    shape.normEpsName = names->normEps;
    shape.vocabularyName = names->vocabulary;
    shape.embedding = names->embedding;
    shape.positionTable = names->positionTable;
    if (!config.flag("tie_word_embeddings", names->tiedByDefault))
        shape.head = names->head;
    shape.blockPrefix = names->blockPrefix;
    shape.optionalPrefix = names->optionalPrefix;
    shape.wholeMask = names->wholeMask;
    return shape;
}

}  // namespace firstbad::core
