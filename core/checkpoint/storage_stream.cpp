// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/byte_source.h"
#include "core/checkpoint/checkpoint_reader.h"
#include "core/checkpoint/hdf5/hdf5_reader.h"
#include "core/checkpoint/inflater.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

/// Bytes as they lie in a file or in the description itself.
class PlainStream final : public StorageStream
{
public:
    explicit PlainStream(ByteSource source)
        : m_source(std::move(source))
    { }
    Result<std::size_t> read(std::span<char> buffer) override
    {
        auto got = m_source.readAt(m_position, buffer);
        if (got)
            m_position += *got;
        return got;
    }

private:
    ByteSource m_source;
    std::uint64_t m_position = 0;
};

/// A deflate or zlib stream that must end where the format says that the storage ends.
class InflatedStream final : public StorageStream
{
public:
    InflatedStream(ByteSource source, DeflateWrapper wrapper, const Storage& storage)
        : m_inflater(std::move(source), wrapper)
        , m_member(storage.member)
        , m_bytes(storage.bytes)
        , m_left(storage.bytes)
    { }
    Result<std::size_t> read(std::span<char> buffer) override
    {
        const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(m_left, buffer.size()));
        if (most == 0)
            return checkEnd();
        auto got = m_inflater.read(buffer.first(most));
        if (got)
            m_left -= *got;
        return got;
    }
    std::string_view damageKind() const noexcept override
    {
        return m_pastEnd ? "inflate-limit" : "truncated";
    }

private:
    Result<std::size_t> checkEnd()
    {
        char more = '\0';
        auto got = m_inflater.read(std::span(&more, 1));
        m_pastEnd = got && *got > 0;
        if (m_pastEnd)
            return fail(ErrorCode::Malformed,
                fmt::format("record {} inflates past its declared {} bytes", m_member, m_bytes));
        return std::size_t{0};
    }

    Inflater m_inflater;
    std::string m_member;
    std::uint64_t m_bytes;
    std::uint64_t m_left;
    bool m_pastEnd = false;
};

const std::string& locationOf(const CheckpointFile& file)
{
    return file.location.empty() ? file.path : file.location;
}

Result<ByteSource> storedBytes(const Checkpoint& checkpoint, const Storage& storage)
{
    if (storage.file >= checkpoint.files.size())
        return fail(ErrorCode::Internal,
            fmt::format(
                "the storage {} belongs to no file of {}", storage.member, checkpoint.path));
    const CheckpointFile& file = checkpoint.files[storage.file];
    auto whole = ByteSource::ofWholeFile(locationOf(file));
    if (!whole)
        return whole;
    return whole->part(storage.offset, storage.storedBytes);
}

}  // namespace

Result<std::unique_ptr<StorageStream>> openStorage(const Checkpoint& checkpoint, std::size_t index)
{
    if (index >= checkpoint.storages.size())
        return fail(ErrorCode::InvalidArgument,
            fmt::format("{} has no storage number {}", checkpoint.path, index));
    const Storage& storage = checkpoint.storages[index];
    switch (storage.coding) {
    case StorageCoding::Inline:
        return std::make_unique<PlainStream>(
            ByteSource::ofMemory(std::make_shared<const std::string>(
                storage.inlineBytes.begin(), storage.inlineBytes.end())));
    case StorageCoding::Raw: {
        auto source = storedBytes(checkpoint, storage);
        if (!source)
            return tl::unexpected(std::move(source.error()));
        return std::make_unique<PlainStream>(source->part(0, storage.bytes));
    }
    case StorageCoding::Deflate:
    case StorageCoding::Zlib: {
        auto source = storedBytes(checkpoint, storage);
        if (!source)
            return tl::unexpected(std::move(source.error()));
        const auto wrapper
            = storage.coding == StorageCoding::Zlib ? DeflateWrapper::Zlib : DeflateWrapper::None;
        return std::make_unique<InflatedStream>(std::move(*source), wrapper, storage);
    }
    case StorageCoding::Missing:
        return fail(ErrorCode::NotFound,
            fmt::format("the record {} is not in {}", storage.member, checkpoint.path));
    case StorageCoding::Hdf5:
        if (storage.file >= checkpoint.files.size())
            break;
        return openHdf5Storage(storage, locationOf(checkpoint.files[storage.file]));
    }
    return fail(ErrorCode::Unsupported,
        fmt::format("the data of {} in {} cannot be streamed", storage.member, checkpoint.path));
}

}  // namespace firstbad::core
