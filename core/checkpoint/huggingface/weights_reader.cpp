// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/huggingface/weights_reader.h"

#include "core/checkpoint/folder/torch_member.h"
#include "core/checkpoint/huggingface/config_texts.h"
#include "core/checkpoint/huggingface/weights.h"

#include <algorithm>

namespace firstbad::core {

namespace {

bool has(const std::vector<std::string>& entries, std::string_view name)
{
    return std::binary_search(entries.begin(), entries.end(), name);
}

bool isDistributed(const Checkpoint& checkpoint)
{
    return std::any_of(checkpoint.texts.begin(), checkpoint.texts.end(),
        [](const CheckpointText& text) { return text.name == "__metadata__.DCP_SHARDING_INFO"; });
}

std::string formatOf(const WeightFiles& weights, const Checkpoint& checkpoint)
{
    if (isDistributed(checkpoint))
        return "dcp-hf";
    const bool sharded = !weights.index.empty() || weights.files.size() > 1;
    if (weights.isTorch)
        return sharded ? "torch-zip-sharded" : "torch-zip";
    return sharded ? "safetensors-sharded" : "safetensors";
}

}  // namespace

int sniffWeightsFolder(const CheckpointHead& head)
{
    const auto weights = findWeights(head.entries);
    if (weights.empty())
        return 0;
    if (!weights.front().index.empty())
        return 70;
    if (isShardName(weights.front().files.front(), ".safetensors")
        || isShardName(weights.front().files.front(), ".bin"))
        return 60;
    // One file alone is a checkpoint by itself; with its config the folder is.
    return has(head.entries, "config.json") || has(head.entries, "adapter_config.json") ? 50 : 0;
}

Result<Checkpoint> openWeightsFolder(const CheckpointHead& head, JobContext& job)
{
    Checkpoint checkpoint;
    checkpoint.path = head.shownPath;
    const CheckpointFolder folder(head.path, head.shownPath);
    const auto models = findWeights(head.entries);
    for (std::size_t i = 0; i < models.size(); ++i) {
        const WeightFiles& weights = models[i];
        std::vector<PathPart> prefix;
        if (i > 0 && !weights.files.empty())
            prefix.push_back(stemPart(weights.files.front()));
        if (auto added = addWeights(checkpoint, folder, weights, prefix, job); !added)
            return tl::unexpected(std::move(added.error()));
    }
    if (has(head.entries, "training_args.bin")) {
        const auto arguments = addTorchMember(checkpoint, folder.find("training_args.bin"),
            {stemPart("training_args.bin")}, false, job);
        if (!arguments)
            return tl::unexpected(arguments.error());
    }
    addConfigTexts(checkpoint, folder);
    checkpoint.format = formatOf(models.front(), checkpoint);
    if (!checkpoint.damage.empty())
        checkpoint.reason = checkpoint.damage.front().text;
    return checkpoint;
}

}  // namespace firstbad::core
