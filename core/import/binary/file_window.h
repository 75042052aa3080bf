// SPDX-License-Identifier: GPL-3.0-or-later
// FileWindow: a view of any part of a file through one buffer, as it was long when it was opened.
//
// Move-only, one thread. Holds 1 MiB, or as much as the longest part that was asked for; never more
// than the file has.
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace firstbad::core {

class FileWindow
{
public:
    [[nodiscard]] static Result<FileWindow> open(const std::filesystem::path& path);

    /// Up to `length` bytes from `offset`, fewer only at the end of the file. Valid until the next
    /// call.
    [[nodiscard]] Result<std::string_view> view(std::uint64_t offset, std::uint64_t length)
    {
        if (offset >= m_start && offset - m_start <= m_filled
            && length <= m_filled - (offset - m_start))
            return std::string_view(m_buffer).substr(offset - m_start, length);
        return refill(offset, length);
    }

    [[nodiscard]] std::uint64_t size() const noexcept { return m_size; }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_file.path(); }

private:
    FileWindow(InputFile file, std::uint64_t size)
        : m_file(std::move(file))
        , m_size(size)
    { }
    [[nodiscard]] Result<std::string_view> refill(std::uint64_t offset, std::uint64_t length);

    InputFile m_file;
    std::uint64_t m_size = 0;
    std::string m_buffer;
    std::uint64_t m_start = 0;  // offset in the file of the buffer's first byte
    std::uint64_t m_filled = 0;
};

}  // namespace firstbad::core
