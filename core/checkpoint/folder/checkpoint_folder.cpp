// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/folder/checkpoint_folder.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxEntries = 100'000;
constexpr std::size_t kMaxNameBytes = 255;

fs::path realPath(const fs::path& path)
{
    std::error_code failure;
    fs::path real = fs::canonical(path, failure);
    return failure ? fs::path() : real;
}

bool isBelow(const fs::path& inner, const fs::path& outer)
{
    const auto [end, at] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    static_cast<void>(at);
    return end == outer.end();
}

/// models--X/blobs of a download cache, when `real` is a snapshot in one; else empty.
fs::path blobsBeside(const fs::path& real)
{
    const fs::path snapshots = real.parent_path();
    const fs::path repository = snapshots.parent_path();
    const std::string name = repository.filename().string();
    const bool isCache = snapshots.filename() == "snapshots"
        && (name.starts_with("models--") || name.starts_with("datasets--"));
    return isCache ? repository / "blobs" : fs::path();
}

}  // namespace

bool isPlainFileName(std::string_view name) noexcept
{
    if (name.empty() || name == "." || name == ".." || name.size() > kMaxNameBytes)
        return false;
    return std::none_of(name.begin(), name.end(), [](char c) {
        return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    });
}

CheckpointFolder::CheckpointFolder(const fs::path& path, std::string shownPath)
    : m_path(path)
    , m_shownPath(std::move(shownPath))
{
    while (m_shownPath.size() > 1 && m_shownPath.back() == '/')
        m_shownPath.pop_back();
    const fs::path real = realPath(path);
    if (real.empty())
        return;
    m_roots.push_back(real);
    if (fs::path blobs = blobsBeside(real); !blobs.empty())
        m_roots.push_back(std::move(blobs));
}

bool CheckpointFolder::holds(const fs::path& real) const
{
    return std::any_of(m_roots.begin(), m_roots.end(),
        [&real](const fs::path& root) { return isBelow(real, root); });
}

/// A link to nothing: does it at least point into the folder?
bool CheckpointFolder::leadsOut(const fs::path& path) const
{
    std::error_code failure;
    if (!fs::is_symlink(fs::symlink_status(path, failure)))
        return false;
    const fs::path target = path.parent_path() / fs::read_symlink(path, failure);
    return !holds(fs::weakly_canonical(target, failure));
}

FolderFile CheckpointFolder::find(std::string_view name, std::string_view below) const
{
    FolderFile file;
    file.name = below.empty() ? std::string(name) : fmt::format("{}/{}", below, name);
    file.shownPath = fmt::format("{}/{}", m_shownPath, file.name);
    file.path = m_path / fs::path(below) / fs::path(name);
    if (!isPlainFileName(name)) {
        file.fault = FolderFault::NotPlain;
        return file;
    }
    const fs::path real = realPath(file.path);
    std::error_code failure;
    if (real.empty()) {
        file.fault = leadsOut(file.path) ? FolderFault::Escapes : FolderFault::Missing;
        return file;
    }
    if (!holds(real)) {
        file.fault = FolderFault::Escapes;
        return file;
    }
    if (!fs::is_regular_file(real, failure)) {
        file.fault = FolderFault::NotAFile;
        return file;
    }
    file.bytes = fs::file_size(real, failure);
    return file;
}

std::vector<std::string> CheckpointFolder::list(std::string_view below) const
{
    std::vector<std::string> names;
    if (!below.empty() && !isFolder(below))
        return names;
    std::error_code failure;
    fs::directory_iterator entry(m_path / fs::path(below), failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
        if (names.size() < kMaxEntries)
            names.push_back(entry->path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool CheckpointFolder::isFolder(std::string_view below) const
{
    const fs::path real = realPath(m_path / fs::path(below));
    std::error_code failure;
    return !real.empty() && holds(real) && fs::is_directory(real, failure);
}

std::uint32_t addFile(Checkpoint& checkpoint, const FolderFile& file)
{
    checkpoint.files.push_back({file.shownPath, file.path.string(), file.bytes});
    return static_cast<std::uint32_t>(checkpoint.files.size() - 1);
}

CheckpointDamage describeFault(const FolderFile& file, std::size_t tensorsLost)
{
    const std::string unread = tensorsLost == 0
        ? std::string()
        : fmt::format("; its {} tensor{} unread", tensorsLost, tensorsLost == 1 ? " is" : "s are");
    const std::string shown = escapedForTerminal(file.name);
    switch (file.fault) {
    case FolderFault::NotPlain:
        return {"path-traversal", file.name,
            fmt::format("{} is not a plain file name: refused{}", shown, unread), true};
    case FolderFault::Escapes:
        return {"symlink-escape", file.name,
            fmt::format("{} is a symbolic link that leaves the checkpoint's folder: not followed{}",
                shown, unread),
            true};
    case FolderFault::NotAFile:
        return {"missing-shard", file.name,
            fmt::format("{} is not a regular file{}", shown, unread), false};
    case FolderFault::Missing:
    case FolderFault::None:
        break;
    }
    return {
        "missing-shard", file.name, fmt::format("the file {} is missing{}", shown, unread), false};
}

void loseTensor(Checkpoint& checkpoint, std::string name)
{
    checkpoint.missing.push_back(name);
    checkpoint.lost.push_back(std::move(name));
}

}  // namespace firstbad::core
