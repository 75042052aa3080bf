// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/deepspeed/universal.h"

#include "core/base/text.h"
#include "core/checkpoint/folder/torch_member.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace firstbad::core {

namespace {

constexpr auto kFolder = "zero";

TensorKind kindOf(std::string_view stem, TensorKind guessed)
{
    if (stem == "fp32")
        return TensorKind::Master;
    if (stem == "step" || stem.starts_with("exp_avg") || stem == "momentum_buffer")
        return TensorKind::Optimizer;
    return guessed;
}

Result<void> addState(Checkpoint& checkpoint, const FolderFile& file, std::vector<PathPart> prefix,
    const std::string& parameter, JobContext& job)
{
    const std::string name = file.path.filename().string();
    prefix.push_back(stemPart(name));
    const auto member = addTorchMember(checkpoint, file, prefix, false, job);
    if (!member)
        return tl::unexpected(member.error());
    for (std::size_t i = member->firstTensor; i < member->endTensor; ++i) {
        CheckpointTensor& tensor = checkpoint.tensors[i];
        tensor.kind = kindOf(prefix.back().text, tensor.kind);
        tensor.belongsTo = parameter;
    }
    return {};
}

}  // namespace

Result<void> addUniversal(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<PathPart>& prefix, JobContext& job)
{
    std::vector<std::pair<std::string, std::vector<std::string>>> parameters;
    std::set<std::string> all;
    for (const std::string& name : folder.list(kFolder)) {
        const std::string below = fmt::format("{}/{}", kFolder, name);
        if (name.ends_with(".pt")) {
            std::vector<PathPart> path = prefix;
            path.push_back({PathPart::Kind::Text, kFolder});
            if (auto added = addState(checkpoint, folder.find(name, kFolder), path, {}, job);
                !added)
                return added;
            continue;
        }
        std::vector<std::string> files = folder.list(below);
        std::erase_if(files, [](const std::string& file) { return !file.ends_with(".pt"); });
        all.insert(files.begin(), files.end());
        parameters.emplace_back(name, std::move(files));
    }
    for (const auto& [parameter, files] : parameters) {
        const std::string below = fmt::format("{}/{}", kFolder, parameter);
        std::vector<PathPart> path = prefix;
        path.push_back({PathPart::Kind::Text, kFolder});
        path.push_back({PathPart::Kind::Text, parameter});
        for (const std::string& file : files) {
            if (auto added = addState(checkpoint, folder.find(file, below), path, parameter, job);
                !added)
                return added;
        }
        for (const std::string& file : all) {
            if (!std::binary_search(files.begin(), files.end(), file))
                checkpoint.damage.push_back({"missing-shard", fmt::format("{}/{}", below, file),
                    fmt::format("{} of {} is missing", file, escapedForTerminal(parameter)),
                    false});
        }
    }
    return {};
}

}  // namespace firstbad::core
