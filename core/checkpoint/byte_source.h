// SPDX-License-Identifier: GPL-3.0-or-later
// ByteSource: a window of an open file or of memory, read by position.
//
// Cheap to copy (shares the file or the bytes); const reads from any thread. Readers of formats
// take one, so that a file, a file inside a file and bytes inside a pickle are read alike.
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace firstbad::core {

class ByteSource
{
public:
    /// The bytes [offset, offset + length) of `file`, clipped to `fileBytes`, its size.
    [[nodiscard]] static ByteSource ofFile(std::shared_ptr<const InputFile> file,
        std::uint64_t fileBytes, std::uint64_t offset, std::uint64_t length);
    /// Opens `path` and takes all of it.
    [[nodiscard]] static Result<ByteSource> ofWholeFile(const std::filesystem::path& path);
    [[nodiscard]] static ByteSource ofMemory(std::shared_ptr<const std::string> bytes);

    [[nodiscard]] std::uint64_t size() const noexcept { return m_length; }
    /// Where the first byte lies in the file; 0 in memory.
    [[nodiscard]] std::uint64_t origin() const noexcept { return m_offset; }
    [[nodiscard]] bool inMemory() const noexcept { return m_file == nullptr; }
    /// A window in this window, clipped to it.
    [[nodiscard]] ByteSource part(std::uint64_t offset, std::uint64_t length) const;

    /// Fills `buffer`; fewer bytes only at the end of the window, 0 past it.
    [[nodiscard]] Result<std::size_t> readAt(std::uint64_t offset, std::span<char> buffer) const;
    /// Up to `length` bytes at `offset`; what lies past the window is left out.
    [[nodiscard]] Result<std::string> read(std::uint64_t offset, std::uint64_t length) const;

private:
    std::shared_ptr<const InputFile> m_file;
    std::shared_ptr<const std::string> m_bytes;
    std::uint64_t m_offset = 0;
    std::uint64_t m_length = 0;
};

}  // namespace firstbad::core
