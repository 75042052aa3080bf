// SPDX-License-Identifier: GPL-3.0-or-later
// The walk over an archive whose save was cut off: sizes come from data descriptors, from the
// caller, or from the search for the descriptor that agrees with the distance to it.
#include "core/checkpoint/little_endian.h"
#include "core/checkpoint/zip/zip_archive.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr std::string_view kLocalSignature = "PK\x03\x04";
constexpr std::string_view kDescriptorSignature = "PK\x07\x08";
constexpr std::size_t kLocalBytes = 30;
constexpr std::uint16_t kHasDescriptor = 8;
constexpr std::size_t kMaxEntries = 1'000'000;

struct LocalHeader {
    ZipEntry entry;
    bool isZip64 = false;
};

struct Descriptor {
    std::uint32_t crc = 0;
    std::uint64_t bytes = 0;
    std::size_t length = 0;  // of the descriptor itself
};

class ZipWalk
{
public:
    ZipWalk(const ByteSource& source, const ZipRecordSize& sizeOf, JobContext& job)
        : m_source(source)
        , m_sizeOf(sizeOf)
        , m_job(job)
    { }

    Result<ZipArchive> run()
    {
        m_archive.hasDirectory = false;
        while (m_archive.entries.size() < kMaxEntries && !m_cut) {
            if (m_job.cancelled())
                return JobContext::cancelledError();
            auto header = readHeader();
            if (!header)
                return tl::unexpected(std::move(header.error()));
            if (!*header)
                break;
            if (auto added = addEntry(std::move(**header)); !added)
                return tl::unexpected(std::move(added.error()));
        }
        m_archive.end = m_position;
        m_archive.indexRecords();
        return std::move(m_archive);
    }

private:
    /// The local header at the position; nullopt where none stands.
    Result<std::optional<LocalHeader>> readHeader()
    {
        const auto bytes = m_source.read(m_position, kLocalBytes);
        if (!bytes)
            return tl::unexpected(bytes.error());
        if (bytes->size() < kLocalBytes || !std::string_view(*bytes).starts_with(kLocalSignature))
            return std::optional<LocalHeader>();
        LocalHeader header;
        ZipEntry& entry = header.entry;
        entry.flags = littleEndian<std::uint16_t>(*bytes, 6);
        entry.method = littleEndian<std::uint16_t>(*bytes, 8);
        entry.crc = littleEndian<std::uint32_t>(*bytes, 14);
        entry.storedBytes = littleEndian<std::uint32_t>(*bytes, 18);
        entry.bytes = littleEndian<std::uint32_t>(*bytes, 22);
        const std::size_t nameBytes = littleEndian<std::uint16_t>(*bytes, 26);
        const std::size_t extraBytes = littleEndian<std::uint16_t>(*bytes, 28);
        const auto rest = m_source.read(m_position + kLocalBytes, nameBytes + extraBytes);
        if (!rest)
            return tl::unexpected(rest.error());
        if (rest->size() < nameBytes + extraBytes)
            return std::optional<LocalHeader>();  // cut inside the header
        entry.name = rest->substr(0, nameBytes);
        entry.headerOffset = m_position;
        entry.dataOffset = m_position + kLocalBytes + nameBytes + extraBytes;
        header.isZip64 = extraBytes >= 2 && littleEndian<std::uint16_t>(*rest, nameBytes) == 1;
        return std::optional(std::move(header));
    }

    void choosePrefix(ZipEntry& entry)
    {
        if (m_archive.entries.empty() && !entry.name.ends_with(".npy"))
            m_archive.prefix = entry.name.substr(0, entry.name.find('/') + 1);
        if (entry.name.starts_with(m_archive.prefix))
            entry.prefixLength = m_archive.prefix.size();
        else
            entry.refusal = "its name leads out of the archive's folder";
    }

    Result<void> addEntry(LocalHeader header)
    {
        ZipEntry& entry = header.entry;
        choosePrefix(entry);
        if ((entry.flags & kHasDescriptor) == 0) {
            finishEntry(std::move(entry), 0);
            return {};
        }
        auto found = findDescriptor(header);
        if (!found)
            return tl::unexpected(std::move(found.error()));
        if (!*found) {
            const auto expected = m_sizeOf(entry.record(), entry.dataOffset);
            const std::uint64_t left
                = m_source.size() - std::min(m_source.size(), entry.dataOffset);
            entry.storedBytes = std::max(expected.value_or(left), left);
            if (expected && *expected <= left)
                entry.storedBytes = *expected;  // complete: only its descriptor is cut
            entry.bytes = entry.storedBytes;
            entry.crc = 0;
            m_cut = true;
            finishEntry(std::move(entry), 0);
            return {};
        }
        entry.storedBytes = (*found)->bytes;
        if (entry.method == 0)
            entry.bytes = entry.storedBytes;
        entry.crc = (*found)->crc;
        finishEntry(std::move(entry), (*found)->length);
        return {};
    }

    void finishEntry(ZipEntry entry, std::size_t descriptorBytes)
    {
        const std::uint64_t left = m_source.size() - std::min(m_source.size(), entry.dataOffset);
        entry.available = std::min(entry.storedBytes, left);
        m_cut = m_cut || entry.available < entry.storedBytes;
        m_position = entry.dataOffset + entry.available + descriptorBytes;
        m_archive.entries.push_back(std::move(entry));
    }

    Result<std::optional<Descriptor>> descriptorAt(const LocalHeader& header, std::uint64_t size)
    {
        const std::size_t length = header.isZip64 ? 24 : 16;
        const auto bytes = m_source.read(header.entry.dataOffset + size, length);
        if (!bytes)
            return tl::unexpected(bytes.error());
        if (bytes->size() < length || !std::string_view(*bytes).starts_with(kDescriptorSignature))
            return std::optional<Descriptor>();
        const std::uint64_t stored = header.isZip64 ? littleEndian<std::uint64_t>(*bytes, 8)
                                                    : littleEndian<std::uint32_t>(*bytes, 8);
        if (stored != size)
            return std::optional<Descriptor>();
        return std::optional(Descriptor{littleEndian<std::uint32_t>(*bytes, 4), stored, length});
    }

    Result<std::optional<Descriptor>> findDescriptor(const LocalHeader& header)
    {
        if (const auto expected = m_sizeOf(header.entry.record(), header.entry.dataOffset)) {
            auto found = descriptorAt(header, *expected);
            if (!found || *found)
                return found;
            if (*expected >= m_source.size() - header.entry.dataOffset)
                return std::optional<Descriptor>();  // cut inside the record
        }
        return searchDescriptor(header);
    }

    Result<std::optional<Descriptor>> searchDescriptor(const LocalHeader& header)
    {
        constexpr std::size_t kStep = std::size_t{1} << 20U;
        for (std::uint64_t at = header.entry.dataOffset; at < m_source.size(); at += kStep) {
            if (m_job.cancelled())
                return JobContext::cancelledError();
            const auto bytes = m_source.read(at, kStep + 3);
            if (!bytes)
                return tl::unexpected(bytes.error());
            for (std::size_t hit = bytes->find(kDescriptorSignature); hit != std::string::npos;
                 hit = bytes->find(kDescriptorSignature, hit + 1)) {
                auto found = descriptorAt(header, at + hit - header.entry.dataOffset);
                if (!found || *found)
                    return found;
            }
        }
        return std::optional<Descriptor>();
    }

    const ByteSource& m_source;
    const ZipRecordSize& m_sizeOf;
    JobContext& m_job;
    ZipArchive m_archive;
    std::uint64_t m_position = 0;
    bool m_cut = false;
};

}  // namespace

Result<ZipArchive> walkZip(const ByteSource& source, const ZipRecordSize& sizeOf, JobContext& job)
{
    return ZipWalk(source, sizeOf, job).run();
}

}  // namespace firstbad::core
