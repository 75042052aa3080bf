// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inflater.h"
#include "core/checkpoint/zip/zip_archive.h"

#include <algorithm>
#include <fmt/format.h>
#include <zlib.h>

namespace firstbad::core {

namespace {

constexpr std::uint16_t kDeflated = 8;

std::uint32_t crcOf(std::string_view bytes)
{
    constexpr std::size_t kStep = std::size_t{1} << 30U;
    uLong crc = 0;
    for (std::size_t at = 0; at < bytes.size(); at += kStep)
        crc = ::crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()) + at,
            static_cast<uInt>(std::min(kStep, bytes.size() - at)));
    return static_cast<std::uint32_t>(crc);
}

/// Grows with what really comes out, not with what is declared.
Result<std::string> inflateRecord(const ByteSource& stored, const ZipEntry& entry)
{
    constexpr std::size_t kStep = std::size_t{1} << 20U;
    Inflater inflater(stored, DeflateWrapper::None);
    std::string bytes;
    while (bytes.size() <= entry.bytes) {
        const std::size_t before = bytes.size();
        bytes.resize(before
            + static_cast<std::size_t>(std::min<std::uint64_t>(kStep, entry.bytes + 1 - before)));
        const auto got = inflater.read(std::span(bytes).subspan(before));
        if (!got)
            return tl::unexpected(got.error());
        bytes.resize(before + *got);
        if (*got == 0)
            return bytes;
    }
    return fail(ErrorCode::Malformed,
        fmt::format("record {} inflates past its declared {} bytes", entry.record(), entry.bytes));
}

}  // namespace

Result<ZipRecord> readZipRecord(
    const ByteSource& source, const ZipEntry& entry, std::uint64_t limit)
{
    if (!entry.refusal.empty())
        return fail(ErrorCode::Malformed,
            fmt::format("record {} is not read: {}", entry.record(), entry.refusal));
    if (entry.bytes > limit)
        return fail(ErrorCode::Unsupported,
            fmt::format("record {} is {} bytes large, the limit is {}", entry.record(), entry.bytes,
                limit));
    const ByteSource stored = source.part(entry.dataOffset, entry.available);
    auto bytes = entry.method == kDeflated ? inflateRecord(stored, entry)
                                           : stored.read(0, entry.available);
    if (!bytes)
        return tl::unexpected(std::move(bytes.error()));
    ZipRecord record{std::move(*bytes), true};
    // PyTorch writes 0 where it was told not to compute checksums.
    record.crcMatches = entry.crc == 0 || crcOf(record.bytes) == entry.crc;
    return record;
}

bool inflatesAsDeclared(const ByteSource& source, const ZipEntry& entry)
{
    Inflater inflater(source.part(entry.dataOffset, entry.available), DeflateWrapper::None);
    std::string buffer(65536, '\0');
    while (inflater.decodedBytes() <= entry.bytes) {
        const std::uint64_t left = entry.bytes + 1 - inflater.decodedBytes();
        const auto got = inflater.read(std::span(buffer).first(
            static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), left))));
        if (!got || *got == 0)
            return true;  // shorter or broken is another fault, found when it is read
    }
    return false;
}

void addCrcDamage(std::vector<CheckpointDamage>& damage, const ZipEntry& entry)
{
    damage.push_back({"crc-mismatch", std::string(entry.record()),
        fmt::format("the stored checksum of {} does not match its bytes: whatever was read from it "
                    "may be wrong",
            entry.record())});
}

}  // namespace firstbad::core
