// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/numpy/numpy_readers.h"

#include "core/base/text.h"
#include "core/checkpoint/little_endian.h"
#include "core/checkpoint/numpy/npy_array.h"
#include "core/checkpoint/numpy/npy_header.h"
#include "core/checkpoint/torch/torch_file.h"
#include "core/checkpoint/zip/zip_archive.h"

#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr std::string_view kMemberEnd = ".npy";

Checkpoint describe(const CheckpointHead& head, Checkpoint checkpoint, std::string_view format)
{
    checkpoint.path = head.shownPath;
    checkpoint.format = format;
    checkpoint.files.push_back({head.shownPath, head.path.string(), head.bytes});
    if (checkpoint.reason.empty() && !checkpoint.damage.empty())
        checkpoint.reason = checkpoint.damage.front().text;
    return checkpoint;
}

Result<void> readMember(const ByteSource& source, const ZipEntry& entry, std::size_t total,
    Checkpoint& checkpoint, JobContext& job)
{
    const std::string member = toValidUtf8(entry.record());
    const std::string name = member.substr(0, member.size() - kMemberEnd.size());
    if (!entry.refusal.empty()) {
        checkpoint.lost.push_back(name);
        checkpoint.missing.push_back(name);
        return {};
    }
    const bool isStored = entry.method == 0;
    NpyPlace place;
    place.bytes = source.part(entry.dataOffset, entry.available);
    place.coding = isStored ? StorageCoding::Raw : StorageCoding::Deflate;
    place.declaredBytes = entry.bytes;
    place.decodedBytes = isStored ? entry.available : entry.bytes;
    if (entry.crc != 0 && entry.available == entry.storedBytes)
        place.crc32 = entry.crc;
    place.member = member;
    place.name = name;
    Checkpoint part;
    auto read = readNpyArray(place, part, job);
    if (!read && read.error().code == ErrorCode::Cancelled)
        return read;
    if (!read) {
        part.damage.push_back({"truncated", member, read.error().message});
        part.lost.push_back(name);
        part.missing.push_back(name);
    }
    if (!part.supported && total == 1)
        checkpoint.supported = false;
    if (!part.reason.empty())
        checkpoint.reason = part.reason;
    appendPart(checkpoint, std::move(part));
    return {};
}

Result<void> readMembers(
    const ByteSource& source, ZipArchive& archive, Checkpoint& checkpoint, JobContext& job)
{
    constexpr std::uint64_t kMaxProbed = std::uint64_t{64} << 20U;
    std::uint64_t probed = 0;
    for (ZipEntry& entry : archive.entries) {
        if (job.cancelled())
            return JobContext::cancelledError();
        if (!entry.record().ends_with(kMemberEnd))
            continue;
        const bool isDeflated = entry.method != 0 && entry.refusal.empty();
        if (isDeflated && (probed += entry.bytes) <= kMaxProbed
            && !inflatesAsDeclared(source, entry)) {
            entry.refusal = "it inflates past its declared size";
            checkpoint.damage.push_back({"inflate-limit", toValidUtf8(entry.record()),
                fmt::format("record {} inflates past its declared {} bytes",
                    toValidUtf8(entry.record()), entry.bytes),
                true});
        }
        if (auto read = readMember(source, entry, archive.entries.size(), checkpoint, job); !read)
            return read;
    }
    return {};
}

std::string_view firstName(std::string_view head)
{
    constexpr std::size_t kLocalBytes = 30;
    if (!head.starts_with("PK\x03\x04") || head.size() < kLocalBytes)
        return {};
    return head.substr(kLocalBytes, littleEndian<std::uint16_t>(head, 26));
}

}  // namespace

int sniffNpy(const CheckpointHead& head)
{
    return isNpyHead(head.head) ? 100 : 0;
}

Result<Checkpoint> openNpy(const CheckpointHead& head, JobContext& job)
{
    auto source = ByteSource::ofWholeFile(head.path);
    if (!source)
        return tl::unexpected(std::move(source.error()));
    NpyPlace place;
    place.decodedBytes = place.declaredBytes = source->size();
    place.bytes = std::move(*source);
    const std::filesystem::path shown(head.shownPath);
    place.member = toValidUtf8(shown.filename().string());
    place.name = toValidUtf8(shown.stem().string());
    Checkpoint checkpoint;
    if (auto read = readNpyArray(place, checkpoint, job); !read) {
        if (read.error().code != ErrorCode::Unsupported)
            return tl::unexpected(std::move(read.error()));
        checkpoint.supported = false;
        checkpoint.reason = read.error().message;
    }
    return describe(head, std::move(checkpoint), "npy");
}

int sniffNpz(const CheckpointHead& head)
{
    if (!head.head.starts_with("PK\x03\x04"))
        return 0;
    return firstName(head.head).ends_with(kMemberEnd) ? 100
        : head.path.extension() == ".npz"             ? 95
                                                      : 0;
}

Result<Checkpoint> openNpz(const CheckpointHead& head, JobContext& job)
{
    const auto source = ByteSource::ofWholeFile(head.path);
    if (!source)
        return tl::unexpected(source.error());
    Checkpoint checkpoint;
    auto directory = readZipDirectory(*source, ZipLayout::Flat, job);
    if (!directory)
        return tl::unexpected(std::move(directory.error()));
    if (!*directory) {
        auto walked = walkZip(
            *source, [](std::string_view, std::uint64_t) { return std::nullopt; }, job);
        if (!walked)
            return tl::unexpected(std::move(walked.error()));
        checkpoint.damage.push_back({"truncated", "central directory",
            fmt::format("{} has no central directory: it was cut off behind {} arrays",
                head.shownPath, walked->entries.size())});
        *directory = std::move(*walked);
    }
    ZipArchive& archive = **directory;
    checkpoint.damage.insert(checkpoint.damage.end(), archive.damage.begin(), archive.damage.end());
    if (auto read = readMembers(*source, archive, checkpoint, job); !read)
        return tl::unexpected(std::move(read.error()));
    return describe(head, std::move(checkpoint), "npz");
}

}  // namespace firstbad::core
