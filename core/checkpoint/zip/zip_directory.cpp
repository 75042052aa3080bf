// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/little_endian.h"
#include "core/checkpoint/zip/zip_archive.h"
#include "core/checkpoint/zip/zip_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace firstbad::core {

namespace {

constexpr std::string_view kEndSignature = "PK\x05\x06";
constexpr std::string_view kLocatorSignature = "PK\x06\x07";
constexpr std::string_view kEnd64Signature = "PK\x06\x06";
constexpr std::string_view kEntrySignature = "PK\x01\x02";
constexpr std::string_view kLocalSignature = "PK\x03\x04";
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLocatorBytes = 20;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kLocalBytes = 30;
constexpr std::uint32_t kIn64 = 0xFFFF'FFFFU;
constexpr std::uint64_t kMaxEntries = 1'000'000;
constexpr std::size_t kMaxShownName = 200;
constexpr std::uint64_t kMaxDirectoryBytes = std::uint64_t{256} << 20U;

struct EndRecord {
    std::uint64_t at = 0;  // of the end record, or of the zip64 one
    std::uint64_t entries = 0;
    std::uint64_t directoryBytes = 0;
    std::uint64_t directoryOffset = 0;
    std::uint64_t end = 0;  // one past the archive
};

Result<ZipArchive> refusedArchive(std::string error, std::string text, bool hostile)
{
    ZipArchive archive;
    archive.damage.push_back({std::move(error), "central directory", std::move(text), hostile});
    return archive;
}

/// The zip64 record replaces the classic numbers; PyTorch always writes one.
void applyZip64(const ByteSource& source, std::string_view tail, std::size_t endAt,
    std::uint64_t tailOffset, EndRecord& record)
{
    if (endAt < kLocatorBytes || tail.substr(endAt - kLocatorBytes, 4) != kLocatorSignature)
        return;
    const auto at = littleEndian<std::uint64_t>(tail, endAt - kLocatorBytes + 8);
    const auto bytes = source.read(at, kEnd64Bytes);
    if (!bytes || bytes->size() < kEnd64Bytes
        || !std::string_view(*bytes).starts_with(kEnd64Signature))
        return;
    record.at = std::min(at, tailOffset + endAt);
    record.entries = littleEndian<std::uint64_t>(*bytes, 32);
    record.directoryBytes = littleEndian<std::uint64_t>(*bytes, 40);
    record.directoryOffset = littleEndian<std::uint64_t>(*bytes, 48);
}

Result<std::optional<EndRecord>> findEndRecord(const ByteSource& source)
{
    constexpr std::uint64_t kTail = 65536 + kEndBytes + kLocatorBytes;
    const std::uint64_t tailOffset = source.size() > kTail ? source.size() - kTail : 0;
    const auto tail = source.read(tailOffset, kTail);
    if (!tail)
        return tl::unexpected(tail.error());
    for (std::size_t at = tail->rfind(kEndSignature); at != std::string::npos;
         at = at == 0 ? std::string::npos : tail->rfind(kEndSignature, at - 1)) {
        if (tail->size() - at < kEndBytes)
            continue;
        EndRecord record;
        record.at = tailOffset + at;
        record.entries = littleEndian<std::uint16_t>(*tail, at + 10);
        record.directoryBytes = littleEndian<std::uint32_t>(*tail, at + 12);
        record.directoryOffset = littleEndian<std::uint32_t>(*tail, at + 16);
        record.end = tailOffset + at + kEndBytes + littleEndian<std::uint16_t>(*tail, at + 20);
        if (record.end > source.size())
            continue;  // a signature inside data: its comment would reach past the file
        applyZip64(source, *tail, at, tailOffset, record);
        return std::optional(record);
    }
    return std::optional<EndRecord>();
}

/// Sizes and offset beyond 32 bits, in the order in which their fields are full.
bool applyEntryZip64(
    std::string_view extra, ZipEntry& entry, std::uint64_t* fields[], std::size_t count)
{
    while (extra.size() >= 4) {
        const auto id = littleEndian<std::uint16_t>(extra, 0);
        const std::size_t length = littleEndian<std::uint16_t>(extra, 2);
        if (extra.size() - 4 < length)
            return false;
        if (id == 1) {
            if (length < 8 * count)
                return false;
            for (std::size_t i = 0; i < count; ++i)
                *fields[i] = littleEndian<std::uint64_t>(extra, 4 + 8 * i);
            return true;
        }
        extra.remove_prefix(4 + length);
    }
    return count == 0 || entry.name.empty();
}

/// Reads one directory entry and takes it off `directory`; false when it is broken.
bool readEntry(std::string_view& directory, ZipEntry& entry)
{
    if (directory.size() < kEntryBytes || !directory.starts_with(kEntrySignature))
        return false;
    entry.flags = littleEndian<std::uint16_t>(directory, 8);
    entry.method = littleEndian<std::uint16_t>(directory, 10);
    entry.crc = littleEndian<std::uint32_t>(directory, 16);
    entry.storedBytes = littleEndian<std::uint32_t>(directory, 20);
    entry.bytes = littleEndian<std::uint32_t>(directory, 24);
    const std::size_t nameBytes = littleEndian<std::uint16_t>(directory, 28);
    const std::size_t extraBytes = littleEndian<std::uint16_t>(directory, 30);
    const std::size_t commentBytes = littleEndian<std::uint16_t>(directory, 32);
    entry.headerOffset = littleEndian<std::uint32_t>(directory, 42);
    if (directory.size() - kEntryBytes < nameBytes + extraBytes + commentBytes)
        return false;
    entry.name = directory.substr(kEntryBytes, nameBytes);
    std::uint64_t* fields[3] = {};
    std::size_t count = 0;
    for (std::uint64_t* field : {&entry.bytes, &entry.storedBytes, &entry.headerOffset}) {
        if (*field == kIn64)
            fields[count++] = field;
    }
    const std::string_view extra = directory.substr(kEntryBytes + nameBytes, extraBytes);
    directory.remove_prefix(kEntryBytes + nameBytes + extraBytes + commentBytes);
    return count == 0 || applyEntryZip64(extra, entry, fields, count);
}

/// Reads near places of a file with few system calls.
class WindowReader
{
public:
    WindowReader(const ByteSource& source, std::size_t windowBytes)
        : m_source(source)
        , m_windowBytes(windowBytes)
    { }

    /// Up to `length` bytes at `offset`, valid until the next call.
    Result<std::string_view> view(std::uint64_t offset, std::size_t length)
    {
        if (offset < m_at || offset + length > m_at + m_bytes.size()) {
            auto bytes = m_source.read(offset, std::max(length, m_windowBytes));
            if (!bytes)
                return tl::unexpected(std::move(bytes.error()));
            m_bytes = std::move(*bytes);
            m_at = offset;
        }
        return std::string_view(m_bytes).substr(static_cast<std::size_t>(offset - m_at), length);
    }

private:
    const ByteSource& m_source;
    std::size_t m_windowBytes;
    std::string m_bytes;
    std::uint64_t m_at = 0;
};

/// Data begins behind the local header, whose name and padding differ from the directory's.
Result<void> locateEntry(
    WindowReader& reader, const ByteSource& source, ZipEntry& entry, std::string& localName)
{
    const auto header = reader.view(entry.headerOffset, kLocalBytes);
    if (!header)
        return tl::unexpected(header.error());
    if (header->size() < kLocalBytes || !header->starts_with(kLocalSignature)) {
        if (entry.refusal.empty())
            entry.refusal = fmt::format(
                "it has no local header at byte {}", source.origin() + entry.headerOffset);
        return {};
    }
    const std::size_t nameBytes = littleEndian<std::uint16_t>(*header, 26);
    const std::size_t extraBytes = littleEndian<std::uint16_t>(*header, 28);
    const auto name = reader.view(entry.headerOffset + kLocalBytes, nameBytes);
    if (!name)
        return tl::unexpected(name.error());
    entry.dataOffset = entry.headerOffset + kLocalBytes + nameBytes + extraBytes;
    entry.available = entry.storedBytes;
    localName = *name;
    return {};
}

Result<void> locateEntries(const ByteSource& source, ZipArchive& archive, JobContext& job)
{
    std::vector<std::size_t> order(archive.entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return archive.entries[a].headerOffset < archive.entries[b].headerOffset;
    });
    const std::uint64_t average = source.size() / std::max<std::size_t>(order.size(), 1);
    WindowReader reader(source, average < 65536 ? std::size_t{262144} : std::size_t{512});
    std::string localName;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return JobContext::cancelledError();
        ZipEntry& entry = archive.entries[order[i]];
        if (auto located = locateEntry(reader, source, entry, localName); !located)
            return located;
        if (entry.dataOffset != 0 && localName != entry.name)
            archive.renamed.emplace_back(order[i], localName.substr(0, kMaxShownName));
    }
    return {};
}

Result<ZipArchive> readEntries(const ByteSource& source, const EndRecord& record)
{
    if (record.directoryOffset > record.at
        || record.directoryBytes > record.at - record.directoryOffset)
        return refusedArchive("bad-header",
            fmt::format("the central directory claims {} bytes at {}, past its own end at {}",
                record.directoryBytes, record.directoryOffset, record.at),
            false);
    if (record.entries > kMaxEntries || record.directoryBytes > kMaxDirectoryBytes)
        return refusedArchive("header-too-large",
            fmt::format(
                "the archive claims {} entries; the limit is {}", record.entries, kMaxEntries),
            true);
    const auto bytes = source.read(record.directoryOffset, record.directoryBytes);
    if (!bytes)
        return tl::unexpected(bytes.error());
    ZipArchive archive;
    std::string_view directory = *bytes;
    while (archive.entries.size() < record.entries) {
        ZipEntry entry;
        if (!readEntry(directory, entry)) {
            archive.damage.push_back({"bad-header", "central directory",
                fmt::format("entry {} of {} in the central directory is broken",
                    archive.entries.size() + 1, record.entries)});
            break;
        }
        archive.entries.push_back(std::move(entry));
    }
    return archive;
}

}  // namespace

const ZipEntry* ZipArchive::find(std::string_view record) const
{
    const auto found = m_records.find(std::string(record));
    return found == m_records.end() ? nullptr : &entries[found->second];
}

void ZipArchive::indexRecords()
{
    m_records.clear();
    m_records.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
        m_records.emplace(entries[i].record(), static_cast<std::uint32_t>(i));
}

Result<std::optional<ZipArchive>> readZipDirectory(
    const ByteSource& source, ZipLayout layout, JobContext& job)
{
    const auto record = findEndRecord(source);
    if (!record)
        return tl::unexpected(record.error());
    if (!*record)
        return std::optional<ZipArchive>();
    auto archive = readEntries(source, **record);
    if (!archive)
        return tl::unexpected(std::move(archive.error()));
    archive->end = (*record)->end;
    checkZipNames(*archive, layout);
    checkZipDuplicates(*archive);
    if (auto located = locateEntries(source, *archive, job); !located)
        return tl::unexpected(std::move(located.error()));
    checkZipOverlaps(*archive, (*record)->directoryOffset);
    checkZipHeaders(*archive);
    checkZipSizes(*archive);
    archive->indexRecords();
    if (archive->end < source.size())
        archive->damage.push_back({"trailing-bytes", "central directory",
            fmt::format("{} bytes follow the end of the archive", source.size() - archive->end)});
    return std::optional(std::move(*archive));
}

}  // namespace firstbad::core
