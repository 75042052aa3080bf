// SPDX-License-Identifier: GPL-3.0-or-later
// InputFile: a regular file opened for reading by position. Never maps, so a file that shrinks is
// no crash.
//
// Move-only owner of one descriptor; readAt is const and may be called from several threads.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace firstbad::core {

struct FileStamp {
    std::uint64_t bytes = 0;
    std::int64_t modifiedNs = 0;
    std::uint64_t inode = 0;
    bool operator==(const FileStamp&) const = default;
};

class InputFile
{
public:
    /// Opens a regular file (a link the user named is followed). FIFOs, devices and folders are
    /// refused.
    [[nodiscard]] static Result<InputFile> open(const std::filesystem::path& path);

    InputFile(InputFile&& other) noexcept;
    InputFile& operator=(InputFile&& other) noexcept;
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    /// Reads up to buffer.size() bytes at `offset`; fewer only at the end of the file, 0 past it.
    [[nodiscard]] Result<std::size_t> readAt(std::uint64_t offset, std::span<char> buffer) const;

    /// Size and change time now: ask again after reading to notice a file that changed meanwhile.
    [[nodiscard]] Result<FileStamp> stamp() const;
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }

private:
    InputFile(int descriptor, std::filesystem::path path)
        : m_descriptor(descriptor)
        , m_path(std::move(path))
    { }

    int m_descriptor = -1;
    std::filesystem::path m_path;
};

/// Reads a whole file of at most `limit` bytes; a larger one is an Error.
[[nodiscard]] Result<std::string> readWholeFile(
    const std::filesystem::path& path, std::uint64_t limit);

/// Writes a file so that it is there in full or not at all: a temporary name beside it, synced,
/// then renamed. An existing file is replaced.
[[nodiscard]] Result<void> writeWholeFile(
    const std::filesystem::path& path, std::string_view content);

/// The Error for a failed system call on `path`, with the hint that fits `errnoValue`.
[[nodiscard]] Error systemError(
    std::string_view action, const std::filesystem::path& path, int errnoValue);

}  // namespace firstbad::core
