// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/byte_stream.h"

#include "core/base/file.h"
#include "core/import/decode/decompress.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

class FileBytes final : public ByteStream
{
public:
    FileBytes(InputFile file, FileStamp opened)
        : m_file(std::move(file))
        , m_opened(opened)
    { }

    Result<std::size_t> read(std::span<char> buffer) override
    {
        auto got = m_file.readAt(m_offset, buffer);
        if (got)
            m_offset += *got;
        return got;
    }

    std::optional<SkippedPart> damage() const override
    {
        if (m_offset >= m_opened.bytes)
            return std::nullopt;
        SkippedPart part;
        part.code = "shrunk";
        part.reason = "The file became shorter while it was read.";
        part.offset = m_offset;
        part.length = m_opened.bytes - m_offset;
        return part;
    }

    std::uint64_t bytesOnDisk() const noexcept override { return m_opened.bytes; }

private:
    InputFile m_file;
    FileStamp m_opened;
    std::uint64_t m_offset = 0;
};

class MemoryBytes final : public ByteStream
{
public:
    explicit MemoryBytes(std::string bytes)
        : m_bytes(std::move(bytes))
    { }

    Result<std::size_t> read(std::span<char> buffer) override
    {
        const std::size_t count = std::min(buffer.size(), m_bytes.size() - m_offset);
        std::copy_n(m_bytes.data() + m_offset, count, buffer.data());
        m_offset += count;
        return count;
    }

    std::uint64_t bytesOnDisk() const noexcept override { return m_bytes.size(); }

private:
    std::string m_bytes;
    std::size_t m_offset = 0;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> openBytes(const std::filesystem::path& path)
{
    auto file = InputFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    const auto stamp = file->stamp();
    if (!stamp)
        return tl::unexpected(stamp.error());
    std::array<char, 8> magic{};
    const auto got = file->readAt(0, magic);
    if (!got)
        return tl::unexpected(got.error());
    const std::string_view head(magic.data(), *got);
    return undoCompression(std::make_unique<FileBytes>(std::move(*file), *stamp), head);
}

std::unique_ptr<ByteStream> undoCompression(
    std::unique_ptr<ByteStream> bytes, std::string_view head)
{
    if (looksLikeGzip(head))
        return gunzip(std::move(bytes));
    if (looksLikeZstd(head))
        return unzstd(std::move(bytes));
    return bytes;
}

std::unique_ptr<ByteStream> bytesFromMemory(std::string bytes)
{
    return std::make_unique<MemoryBytes>(std::move(bytes));
}

}  // namespace firstbad::core
