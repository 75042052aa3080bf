// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/deepspeed/deepspeed_reader.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/checkpoint/deepspeed/deepspeed_files.h"
#include "core/checkpoint/deepspeed/deepspeed_save.h"
#include "core/checkpoint/folder/step_name.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr auto kLatest = "latest";

bool isUniversalSave(const std::vector<std::string>& entries, const CheckpointFolder& folder)
{
    if (!std::binary_search(entries.begin(), entries.end(), "zero"))
        return false;
    const auto names = folder.list("zero");
    return std::any_of(names.begin(), names.end(), [&folder](const std::string& name) {
        return folder.find("fp32.pt", "zero/" + name).fault == FolderFault::None;
    });
}

bool isSave(const CheckpointFolder& folder)
{
    const auto entries = folder.list();
    return isDeepSpeedSave(entries) || isUniversalSave(entries, folder);
}

std::vector<std::string> savesOf(const CheckpointFolder& folder)
{
    std::vector<std::string> saves;
    for (const std::string& name : folder.list()) {
        if (folder.isFolder(name) && isSave(CheckpointFolder(folder.path() / name, name)))
            saves.push_back(name);
    }
    std::stable_sort(saves.begin(), saves.end(), [](const auto& a, const auto& b) {
        return stepOfName(a).value_or(INT64_MAX) < stepOfName(b).value_or(INT64_MAX);
    });
    return saves;
}

std::string latestTag(const CheckpointFolder& folder)
{
    constexpr std::uint64_t kMaxBytes = 4096;
    const FolderFile file = folder.find(kLatest);
    if (file.fault != FolderFault::None)
        return {};
    const auto text = readWholeFile(file.path, kMaxBytes);
    return text ? std::string(trimmed(*text)) : std::string();
}

void finish(Checkpoint& checkpoint)
{
    if (checkpoint.reason.empty() && !checkpoint.damage.empty())
        checkpoint.reason = checkpoint.damage.front().text;
}

void checkLatest(
    Checkpoint& checkpoint, const std::string& tag, const std::vector<std::string>& saves)
{
    if (tag.empty())
        return;
    if (!isPlainFileName(tag))
        checkpoint.damage.push_back({"path-traversal", kLatest,
            fmt::format(
                "latest names {}, which is not a plain name: refused", escapedForTerminal(tag)),
            true});
    else if (std::find(saves.begin(), saves.end(), tag) == saves.end())
        checkpoint.damage.push_back({"missing-shard", tag,
            fmt::format("latest names {}, which is not there", escapedForTerminal(tag)), false});
}

}  // namespace

int sniffDeepSpeedRoot(const CheckpointHead& head)
{
    if (!std::binary_search(head.entries.begin(), head.entries.end(), kLatest))
        return 0;
    const bool hasScript
        = std::binary_search(head.entries.begin(), head.entries.end(), "zero_to_fp32.py");
    const CheckpointFolder folder(head.path, head.shownPath);
    constexpr int kLikely = 86;
    return hasScript || !savesOf(folder).empty() ? kLikely : 0;
}

Result<Checkpoint> openDeepSpeedRoot(const CheckpointHead& head, JobContext& job)
{
    Checkpoint checkpoint;
    checkpoint.path = head.shownPath;
    checkpoint.format = "deepspeed";
    const CheckpointFolder folder(head.path, head.shownPath);
    const auto saves = savesOf(folder);
    const std::string tag = latestTag(folder);
    checkLatest(checkpoint, tag, saves);
    if (saves.size() == 1) {
        const CheckpointFolder save(
            folder.path() / saves[0], fmt::format("{}/{}", folder.shownPath(), saves[0]));
        if (auto added = addDeepSpeedSave(checkpoint, save, {}, job); !added)
            return tl::unexpected(std::move(added.error()));
        finish(checkpoint);
        return checkpoint;
    }
    for (const std::string& name : saves)
        checkpoint.saves.push_back({fmt::format("{}/{}", folder.shownPath(), name),
            (folder.path() / name).string(), stepOfName(name), name == tag});
    finish(checkpoint);
    return checkpoint;
}

int sniffDeepSpeedSave(const CheckpointHead& head)
{
    constexpr int kLikely = 85;
    if (isDeepSpeedSave(head.entries))
        return kLikely;
    const bool hasZero = std::binary_search(head.entries.begin(), head.entries.end(), "zero");
    return hasZero && isUniversalSave(head.entries, CheckpointFolder(head.path, head.shownPath))
        ? kLikely
        : 0;
}

Result<Checkpoint> openDeepSpeedSave(const CheckpointHead& head, JobContext& job)
{
    Checkpoint checkpoint;
    checkpoint.path = head.shownPath;
    checkpoint.format = "deepspeed";
    const CheckpointFolder folder(head.path, head.shownPath);
    if (auto added = addDeepSpeedSave(checkpoint, folder, {}, job); !added)
        return tl::unexpected(std::move(added.error()));
    finish(checkpoint);
    return checkpoint;
}

}  // namespace firstbad::core
