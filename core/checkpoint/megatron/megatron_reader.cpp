// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/megatron/megatron_reader.h"

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/checkpoint/folder/step_name.h"
#include "core/checkpoint/megatron/megatron_save.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr auto kTracker = "latest_checkpointed_iteration.txt";
constexpr auto kRelease = "release";

/// Names of the folders of saves, oldest first; "release" is the last.
std::vector<std::string> savesOf(const CheckpointFolder& folder)
{
    std::vector<std::string> saves;
    for (const std::string& name : folder.list()) {
        const bool isSave = name == kRelease || name.starts_with("iter_");
        if (isSave && folder.isFolder(name))
            saves.push_back(name);
    }
    std::stable_sort(saves.begin(), saves.end(), [](const auto& a, const auto& b) {
        return stepOfName(a).value_or(INT64_MAX) < stepOfName(b).value_or(INT64_MAX);
    });
    return saves;
}

/// The folder that the tracker file names; empty when it says nothing of use.
std::string trackedSave(Checkpoint& checkpoint, const CheckpointFolder& folder)
{
    constexpr std::uint64_t kMaxBytes = 4096;
    const FolderFile file = folder.find(kTracker);
    const auto text = file.fault == FolderFault::None
        ? readWholeFile(file.path, kMaxBytes)
        : Result<std::string>(fail(ErrorCode::NotFound, "no tracker"));
    const std::string word(trimmed(text ? std::string_view(*text) : std::string_view()));
    if (word == kRelease)
        return word;
    if (const auto iteration = parseInteger(word); iteration && *iteration >= 0)
        return fmt::format("iter_{:07}", *iteration);
    checkpoint.damage.push_back({"bad-index", kTracker,
        fmt::format("{} names no iteration: \"{}\"", kTracker, escapedForTerminal(word)), false});
    return {};
}

void listSaves(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<std::string>& saves, const std::string& tracked)
{
    checkpoint.format = "megatron-root";
    for (const std::string& name : saves) {
        CheckpointSave save;
        save.path = fmt::format("{}/{}", folder.shownPath(), name);
        save.location = (folder.path() / name).string();
        save.step = stepOfName(name);
        save.newest = name == tracked;
        checkpoint.saves.push_back(std::move(save));
    }
}

}  // namespace

int sniffMegatronRoot(const CheckpointHead& head)
{
    return std::binary_search(head.entries.begin(), head.entries.end(), kTracker) ? 90 : 0;
}

Result<Checkpoint> openMegatronRoot(const CheckpointHead& head, JobContext& job)
{
    Checkpoint checkpoint;
    checkpoint.path = head.shownPath;
    checkpoint.format = "megatron";
    const CheckpointFolder folder(head.path, head.shownPath);
    const std::vector<std::string> saves = savesOf(folder);
    const std::string tracked = trackedSave(checkpoint, folder);
    if (!tracked.empty() && std::find(saves.begin(), saves.end(), tracked) == saves.end())
        checkpoint.damage.push_back({"missing-shard", tracked,
            fmt::format("{} names {}, which is not there", kTracker, tracked), false});
    if (saves.size() == 1) {
        const CheckpointFolder save(
            folder.path() / saves[0], fmt::format("{}/{}", folder.shownPath(), saves[0]));
        if (auto added = addMegatronSave(checkpoint, save, job); !added)
            return tl::unexpected(std::move(added.error()));
    } else {
        listSaves(checkpoint, folder, saves, tracked);
    }
    if (checkpoint.reason.empty() && !checkpoint.damage.empty())
        checkpoint.reason = checkpoint.damage.front().text;
    return checkpoint;
}

int sniffMegatronSave(const CheckpointHead& head)
{
    return megatronLayout(head.entries) == MegatronLayout::None ? 0 : 88;
}

Result<Checkpoint> openMegatronSave(const CheckpointHead& head, JobContext& job)
{
    Checkpoint checkpoint;
    checkpoint.path = head.shownPath;
    const CheckpointFolder folder(head.path, head.shownPath);
    if (auto added = addMegatronSave(checkpoint, folder, job); !added)
        return tl::unexpected(std::move(added.error()));
    return checkpoint;
}

}  // namespace firstbad::core
