// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/storage_range.h"

#include "core/checkpoint/byte_source.h"

#include <algorithm>

namespace firstbad::core {

namespace {

/// Reads up to `length` bytes of the stream into `bytes`; fewer at its end.
Result<void> take(StorageStream& stream, std::uint64_t length, std::string& bytes)
{
    constexpr std::uint64_t kStep = std::uint64_t{1} << 20U;
    while (bytes.size() < length) {
        const std::size_t before = bytes.size();
        bytes.resize(before + static_cast<std::size_t>(std::min(kStep, length - before)));
        const auto got = stream.read(std::span(bytes).subspan(before));
        if (!got)
            return tl::unexpected(got.error());
        bytes.resize(before + *got);
        if (*got == 0)
            break;
    }
    return {};
}

Result<void> skip(StorageStream& stream, std::uint64_t length)
{
    std::string scratch(static_cast<std::size_t>(std::min<std::uint64_t>(length, 1U << 20U)), '\0');
    while (length > 0) {
        const auto got = stream.read(std::span(scratch).first(
            static_cast<std::size_t>(std::min<std::uint64_t>(length, scratch.size()))));
        if (!got)
            return tl::unexpected(got.error());
        if (*got == 0)
            break;
        length -= *got;
    }
    return {};
}

}  // namespace

Result<std::string> readStorageRange(
    const Checkpoint& checkpoint, std::size_t index, std::uint64_t offset, std::uint64_t length)
{
    if (index < checkpoint.storages.size()
        && checkpoint.storages[index].coding == StorageCoding::Raw) {
        const Storage& storage = checkpoint.storages[index];
        if (storage.file < checkpoint.files.size()) {
            const CheckpointFile& file = checkpoint.files[storage.file];
            const auto whole
                = ByteSource::ofWholeFile(file.location.empty() ? file.path : file.location);
            if (!whole)
                return tl::unexpected(whole.error());
            return whole->part(storage.offset, storage.bytes).read(offset, length);
        }
    }
    auto stream = openStorage(checkpoint, index);
    if (!stream)
        return tl::unexpected(std::move(stream.error()));
    if (auto skipped = skip(**stream, offset); !skipped)
        return tl::unexpected(std::move(skipped.error()));
    std::string bytes;
    if (auto taken = take(**stream, length, bytes); !taken)
        return tl::unexpected(std::move(taken.error()));
    return bytes;
}

}  // namespace firstbad::core
