// SPDX-License-Identifier: GPL-3.0-or-later
// CheckpointFolder: finds the files of a checkpoint that is a folder, and none outside it.
//
// Plain value; asks the file system on each call; any thread. Names come from indexes that may lie:
// only plain names are looked up, and links are followed only to places inside the folder. A
// download cache (models--X/snapshots/REVISION, links into models--X/blobs) counts as one folder.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/byte_source.h"
#include "core/checkpoint/checkpoint.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// A single name: no separator, no "..", not empty, no control characters.
[[nodiscard]] bool isPlainFileName(std::string_view name) noexcept;

enum class FolderFault : std::uint8_t { None, NotPlain, Escapes, Missing, NotAFile };

struct FolderFile {
    FolderFault fault = FolderFault::None;
    std::filesystem::path path;
    std::string name;  ///< relative to the checkpoint's folder
    std::string shownPath;  ///< as the user would name it
    std::uint64_t bytes = 0;
};

class CheckpointFolder
{
public:
    CheckpointFolder(const std::filesystem::path& path, std::string shownPath);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }
    [[nodiscard]] const std::string& shownPath() const noexcept { return m_shownPath; }

    /// The regular file of that name, in the folder or in `below`, a path from a listing.
    [[nodiscard]] FolderFile find(std::string_view name, std::string_view below = {}) const;
    /// Plain names in the folder or in `below`, sorted, at most 100,000; links that lead out are
    /// listed too (find() refuses them). Empty when it cannot be read.
    [[nodiscard]] std::vector<std::string> list(std::string_view below = {}) const;
    /// A folder, reached without leaving this one.
    [[nodiscard]] bool isFolder(std::string_view below) const;

private:
    [[nodiscard]] bool holds(const std::filesystem::path& real) const;
    [[nodiscard]] bool leadsOut(const std::filesystem::path& path) const;

    std::filesystem::path m_path;
    std::string m_shownPath;
    std::vector<std::filesystem::path> m_roots;  // real paths that links may lead to
};

/// Adds the file to the checkpoint and answers its number.
std::uint32_t addFile(Checkpoint& checkpoint, const FolderFile& file);

/// What the fault is called in the checkpoint: path-traversal, symlink-escape or missing-shard.
[[nodiscard]] CheckpointDamage describeFault(const FolderFile& file, std::size_t tensorsLost);

/// Notes that the bytes of a tensor cannot be read, or not in full.
void loseTensor(Checkpoint& checkpoint, std::string name);

}  // namespace firstbad::core
