// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_reader.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 4096;
constexpr std::size_t kMaxEntries = 100'000;

Result<CheckpointHead> readFolderHead(CheckpointHead head)
{
    std::error_code failure;
    fs::directory_iterator entry(head.path, failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
        if (head.entries.size() < kMaxEntries)
            head.entries.push_back(entry->path().filename().string());
    }
    if (failure)
        return tl::unexpected(systemError("read the folder", head.path, failure.value()));
    std::sort(head.entries.begin(), head.entries.end());
    return head;
}

Result<CheckpointHead> readHead(const fs::path& path, const std::string& shownPath)
{
    CheckpointHead head;
    head.path = path;
    head.shownPath = shownPath;
    std::error_code failure;
    head.isFolder = fs::is_directory(path, failure);
    if (head.isFolder)
        return readFolderHead(std::move(head));
    const auto file = InputFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    const auto stamp = file->stamp();
    if (!stamp)
        return tl::unexpected(stamp.error());
    head.bytes = stamp->bytes;
    head.head.resize(kHeadBytes);
    const auto got = file->readAt(0, std::span(head.head.data(), head.head.size()));
    if (!got)
        return tl::unexpected(got.error());
    head.head.resize(*got);
    return head;
}

const CheckpointReader* chooseReader(const CheckpointHead& head, int atLeast = 1)
{
    const CheckpointReader* best = nullptr;
    int bestScore = atLeast - 1;
    for (const CheckpointReader& reader : checkpointReaderTable()) {
        if (reader.takesFolder != head.isFolder)
            continue;
        const int score = reader.sniff(head);
        if (score > bestScore) {
            bestScore = score;
            best = &reader;
        }
    }
    return best;
}

bool looksLikeHtml(std::string_view head)
{
    const std::string_view text = trimmed(head);
    return equalsIgnoringCase(text.substr(0, 5), "<html")
        || equalsIgnoringCase(text.substr(0, 9), "<!doctype")
        || (text.substr(0, 1) == "<" && containsIgnoringCase(text, "<html"));
}

/// The size that a Git LFS pointer names, as text; empty when `head` is none.
std::string_view lfsPointerSize(std::string_view head)
{
    if (!head.starts_with("version https://git-lfs"))
        return {};
    const std::size_t at = head.find("\nsize ");
    if (at == std::string_view::npos)
        return "?";
    const std::string_view rest = head.substr(at + 6);
    return rest.substr(0, std::min<std::size_t>(rest.find_first_not_of("0123456789"), 20));
}

bool looksLikeText(std::string_view head)
{
    return !head.empty() && head.find('\0') == std::string_view::npos
        && isValidUtf8(head.substr(0, head.rfind('\n') + 1));
}

CheckpointDamage describeStranger(const CheckpointHead& head, const std::string& name)
{
    if (head.isFolder)
        return {"not-a-checkpoint", name,
            fmt::format(
                "{} is a folder without the files of any known checkpoint", head.shownPath)};
    if (head.bytes == 0)
        return {"empty-file", name, fmt::format("{} is empty (0 bytes)", head.shownPath)};
    constexpr std::uint64_t kHeaderLength = 8;
    if (head.bytes < kHeaderLength && head.path.extension() == ".safetensors")
        return {"truncated", name,
            fmt::format("{} has {} bytes; the length of a safetensors header alone takes {}",
                head.shownPath, head.bytes, kHeaderLength)};
    if (const auto size = lfsPointerSize(head.head); !size.empty())
        return {"lfs-pointer", name,
            fmt::format("{} is a Git LFS pointer: the real file ({} bytes) was never downloaded",
                head.shownPath, size)};
    if (looksLikeHtml(head.head))
        return {"html-page", name,
            fmt::format(
                "{} is an HTML page, not a checkpoint: the download failed", head.shownPath)};
    if (looksLikeText(head.head))
        return {"not-a-checkpoint", name,
            fmt::format("{} is plain text, not a checkpoint", head.shownPath)};
    return {"not-a-checkpoint", name,
        fmt::format("{} ({} bytes) is in no checkpoint format that firstbad knows", head.shownPath,
            head.bytes)};
}

Checkpoint strangerCheckpoint(const CheckpointHead& head)
{
    Checkpoint stranger;
    stranger.path = head.shownPath;
    stranger.format = "none";
    if (!head.isFolder)
        stranger.files.push_back({head.shownPath, head.path.string(), head.bytes});
    stranger.damage.push_back(describeStranger(head, fs::path(head.shownPath).filename().string()));
    stranger.supported = stranger.damage.front().error != "not-a-checkpoint";
    stranger.reason = stranger.damage.front().text;
    return stranger;
}

}  // namespace

Result<Checkpoint> openCheckpoint(
    const fs::path& path, const std::string& shownPath, JobContext& job)
{
    auto head = readHead(path, shownPath);
    if (!head)
        return tl::unexpected(std::move(head.error()));
    if (job.cancelled())
        return JobContext::cancelledError();
    if (const CheckpointReader* reader = chooseReader(*head))
        return reader->open(*head, job);
    return strangerCheckpoint(*head);
}

bool isCheckpoint(const fs::path& path)
{
    // Whoever names a file wants it read on a guess; whoever looks through a folder does not.
    constexpr int kLikely = 50;
    const auto head = readHead(path, path.string());
    return head && chooseReader(*head, kLikely) != nullptr;
}

}  // namespace firstbad::core
