// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/megatron/megatron_save.h"

#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/checkpoint/dcp/dcp_part.h"
#include "core/checkpoint/folder/step_name.h"
#include "core/checkpoint/folder/torch_member.h"
#include "core/checkpoint/megatron/rank_folders.h"
#include "core/checkpoint/megatron/zarr_arrays.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr auto kMetadata = "metadata.json";
constexpr auto kCommon = "common.pt";

bool contains(const std::vector<std::string>& entries, std::string_view name)
{
    return std::binary_search(entries.begin(), entries.end(), name);
}

/// "torch_dist", "zarr", or empty when metadata.json cannot tell.
std::string backendOf(Checkpoint& checkpoint, const CheckpointFolder& folder)
{
    constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 20U;
    const FolderFile file = folder.find(kMetadata);
    if (file.fault != FolderFault::None)
        return {};
    const auto text = readWholeFile(file.path, kMaxBytes);
    const auto json = text ? parseJson(*text) : Result<JsonValue>(tl::unexpected(text.error()));
    const JsonValue* backend = json ? json->find("sharded_backend") : nullptr;
    if (backend == nullptr) {
        checkpoint.damage.push_back(
            {"bad-index", kMetadata, fmt::format("{} names no sharded_backend", kMetadata), false});
        return {};
    }
    addFile(checkpoint, file);
    return std::string(backend->asText());
}

Result<void> addCommon(Checkpoint& checkpoint, const CheckpointFolder& folder, JobContext& job)
{
    const FolderFile file = folder.find(kCommon);
    if (file.fault == FolderFault::Missing)
        return {};  // the newest trees keep it among the sharded objects
    const auto member = addTorchMember(checkpoint, file, {stemPart(kCommon)}, false, job);
    if (!member)
        return tl::unexpected(member.error());
    const auto iteration = scalarOf(checkpoint, *member, "common.iteration");
    if (iteration && *iteration >= 0 && *iteration < 1e15)
        checkpoint.step = static_cast<std::int64_t>(*iteration);
    return {};
}

Result<void> addDistributed(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<std::string>& entries, JobContext& job)
{
    const std::string backend = backendOf(checkpoint, folder);
    const bool isZarr = backend == "zarr"
        || (backend != "torch_dist" && !isDcpFolder(entries) && hasZarrArrays(folder, entries));
    checkpoint.format = isZarr ? "megatron-zarr" : "megatron-torch-dist";
    if (isZarr) {
        if (auto added = addZarrArrays(checkpoint, folder, entries, job); !added)
            return added;
    } else if (auto added = addDcp(checkpoint, folder, {}, job); !added) {
        return tl::unexpected(std::move(added.error()));
    }
    return addCommon(checkpoint, folder, job);
}

}  // namespace

MegatronLayout megatronLayout(const std::vector<std::string>& entries)
{
    const bool hasRanks = std::any_of(entries.begin(), entries.end(),
        [](const std::string& name) { return parseRankFolder(name).has_value(); });
    if (hasRanks)
        return MegatronLayout::Legacy;
    const bool isDistributed
        = contains(entries, kMetadata) && (contains(entries, kCommon) || isDcpFolder(entries));
    return isDistributed ? MegatronLayout::Distributed : MegatronLayout::None;
}

Result<void> addMegatronSave(
    Checkpoint& checkpoint, const CheckpointFolder& folder, JobContext& job)
{
    const auto entries = folder.list();
    Result<void> added;
    if (megatronLayout(entries) == MegatronLayout::Legacy) {
        checkpoint.format = "megatron";
        added = addMegatronRanks(checkpoint, folder, entries, job);
    } else {
        added = addDistributed(checkpoint, folder, entries, job);
    }
    if (!checkpoint.step)
        checkpoint.step = stepOfName(folder.path().filename().string());
    if (checkpoint.reason.empty() && !checkpoint.damage.empty())
        checkpoint.reason = checkpoint.damage.front().text;
    return added;
}

}  // namespace firstbad::core
