// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/file_window.h"

#include <algorithm>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kBlock = 1U << 20U;

}  // namespace

Result<FileWindow> FileWindow::open(const std::filesystem::path& path)
{
    auto file = InputFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    const auto stamp = file->stamp();
    if (!stamp)
        return tl::unexpected(stamp.error());
    return FileWindow(std::move(*file), stamp->bytes);
}

Result<std::string_view> FileWindow::refill(std::uint64_t offset, std::uint64_t length)
{
    if (offset >= m_size)
        return std::string_view{};
    const std::uint64_t wanted = std::min(std::max(length, kBlock), m_size - offset);
    if (m_buffer.size() < wanted || m_buffer.size() > 4 * std::max(wanted, kBlock))
        m_buffer = std::string(wanted, '\0');
    m_filled = 0;
    auto got = m_file.readAt(offset, std::span(m_buffer).first(wanted));
    if (!got)
        return tl::unexpected(std::move(got.error()));
    m_start = offset;
    m_filled = *got;
    return std::string_view(m_buffer).substr(0, std::min(length, m_filled));
}

}  // namespace firstbad::core
