// SPDX-License-Identifier: GPL-3.0-or-later
// ZipArchive: the entries of a zip, checked before anything is read from them.
//
// Plain values; any thread. Names are text, never paths. Entries that break a rule stay in the list
// with the reason, so that the tensors that needed them can be named.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/checkpoint/byte_source.h"
#include "core/checkpoint/checkpoint.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace firstbad::core {

struct ZipEntry {
    std::string name;  ///< as the archive spells it
    std::size_t prefixLength = 0;  ///< of the folder around all entries, with its slash
    std::uint16_t method = 0;  ///< 0 stored, 8 deflate
    std::uint16_t flags = 0;
    std::uint32_t crc = 0;  ///< 0 when not recorded
    std::uint64_t storedBytes = 0;
    std::uint64_t bytes = 0;  ///< decoded, as declared
    std::uint64_t headerOffset = 0;
    std::uint64_t dataOffset = 0;
    std::uint64_t available = 0;  ///< of storedBytes: less when the file was cut off in it
    std::string refusal;  ///< why it must not be read; empty for a sound entry

    [[nodiscard]] std::string_view record() const
    {
        return std::string_view(name).substr(prefixLength);
    }
};

enum class ZipLayout : std::uint8_t { Flat, OneFolder };  ///< npz; files of PyTorch

struct ZipArchive {
    std::string prefix;
    std::vector<ZipEntry> entries;  ///< in the order of the directory
    std::vector<CheckpointDamage> damage;
    bool hasDirectory = true;
    std::uint64_t end = 0;  ///< bytes of the source that belong to the archive
    /// Entries whose local header has another name, with that name.
    std::vector<std::pair<std::size_t, std::string>> renamed;

    /// The entry of a record (the name without the prefix); nullptr when there is none.
    [[nodiscard]] const ZipEntry* find(std::string_view record) const;
    void indexRecords();

private:
    std::unordered_map<std::string, std::uint32_t> m_records;
};

/// Reads and checks the central directory. nullopt when there is no end record: the file was cut
/// off (see walkZip) or is no zip.
[[nodiscard]] Result<std::optional<ZipArchive>> readZipDirectory(
    const ByteSource& source, ZipLayout layout, JobContext& job);

/// Bytes of a record that was cut off before its size was written; nullopt when nobody knows.
using ZipRecordSize
    = std::function<std::optional<std::uint64_t>(std::string_view record, std::uint64_t offset)>;

/// Finds the records of an archive without a directory, from local header to local header. What
/// was cut off is in `damage`.
[[nodiscard]] Result<ZipArchive> walkZip(
    const ByteSource& source, const ZipRecordSize& sizeOf, JobContext& job);

struct ZipRecord {
    std::string bytes;
    bool crcMatches = true;
};

/// Reads a whole record of at most `limit` bytes.
[[nodiscard]] Result<ZipRecord> readZipRecord(
    const ByteSource& source, const ZipEntry& entry, std::uint64_t limit);

/// Inflates a deflated record into nothing, up to its declared size; false when more follows.
[[nodiscard]] bool inflatesAsDeclared(const ByteSource& source, const ZipEntry& entry);

/// Adds a `crc-mismatch` for `entry`.
void addCrcDamage(std::vector<CheckpointDamage>& damage, const ZipEntry& entry);

}  // namespace firstbad::core
