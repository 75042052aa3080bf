// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/byte_source.h"

#include <algorithm>

namespace firstbad::core {

ByteSource ByteSource::ofFile(std::shared_ptr<const InputFile> file, std::uint64_t fileBytes,
    std::uint64_t offset, std::uint64_t length)
{
    ByteSource source;
    source.m_file = std::move(file);
    source.m_offset = std::min(offset, fileBytes);
    source.m_length = std::min(length, fileBytes - source.m_offset);
    return source;
}

Result<ByteSource> ByteSource::ofWholeFile(const std::filesystem::path& path)
{
    auto file = InputFile::open(path);
    if (!file)
        return tl::unexpected(std::move(file.error()));
    const auto stamp = file->stamp();
    if (!stamp)
        return tl::unexpected(stamp.error());
    return ofFile(
        std::make_shared<const InputFile>(std::move(*file)), stamp->bytes, 0, stamp->bytes);
}

ByteSource ByteSource::ofMemory(std::shared_ptr<const std::string> bytes)
{
    ByteSource source;
    source.m_length = bytes->size();
    source.m_bytes = std::move(bytes);
    return source;
}

ByteSource ByteSource::part(std::uint64_t offset, std::uint64_t length) const
{
    ByteSource source = *this;
    const std::uint64_t start = std::min(offset, m_length);
    source.m_offset += start;
    source.m_length = std::min(length, m_length - start);
    return source;
}

Result<std::size_t> ByteSource::readAt(std::uint64_t offset, std::span<char> buffer) const
{
    if (offset >= m_length)
        return std::size_t{0};
    const auto wanted
        = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), m_length - offset));
    if (m_file)
        return m_file->readAt(m_offset + offset, buffer.first(wanted));
    std::copy_n(m_bytes->data() + m_offset + offset, wanted, buffer.data());
    return wanted;
}

Result<std::string> ByteSource::read(std::uint64_t offset, std::uint64_t length) const
{
    const std::uint64_t there = offset < m_length ? m_length - offset : 0;
    std::string bytes(static_cast<std::size_t>(std::min(length, there)), '\0');
    const auto got = readAt(offset, std::span(bytes.data(), bytes.size()));
    if (!got)
        return tl::unexpected(got.error());
    bytes.resize(*got);
    return bytes;
}

}  // namespace firstbad::core
