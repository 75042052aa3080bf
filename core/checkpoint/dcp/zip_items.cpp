// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/dcp/zip_items.h"

#include <cstring>
#include <string_view>

namespace firstbad::core {

namespace {

constexpr std::uint64_t kWindow = std::uint64_t{1} << 20U;
constexpr std::uint64_t kEndBytes = 22;
constexpr std::uint64_t kLocatorBytes = 20;
constexpr std::uint64_t kEnd64Bytes = 56;
constexpr std::uint64_t kMaxItems = 1'000'000;
constexpr std::string_view kEndMark("PK\x05\x06", 4);
constexpr std::string_view kEnd64Mark("PK\x06\x06", 4);
constexpr std::string_view kEntryMark("PK\x01\x02", 4);
constexpr std::string_view kLocalMark("PK\x03\x04", 4);

template <class T> T fieldAt(std::string_view bytes, std::size_t at)
{
    T value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

/// Holds an end record at `end` against an archive that begins at `start`: the directory has to lie
/// where the records say.
bool closesArchive(const ByteSource& source, std::uint64_t start, std::uint64_t end)
{
    const auto record = source.read(end, kEndBytes);
    if (!record || record->size() < kEndBytes)
        return false;
    std::uint64_t bytes = fieldAt<std::uint32_t>(*record, 12);
    std::uint64_t offset = fieldAt<std::uint32_t>(*record, 16);
    std::uint64_t directoryEnd = end;
    if (end - start >= kLocatorBytes + kEnd64Bytes) {
        const std::uint64_t place = end - kLocatorBytes - kEnd64Bytes;
        const auto wide = source.read(place, kEnd64Bytes);
        if (wide && wide->size() == kEnd64Bytes && wide->starts_with(kEnd64Mark)) {
            bytes = fieldAt<std::uint64_t>(*wide, 40);
            offset = fieldAt<std::uint64_t>(*wide, 48);
            directoryEnd = place;
        }
    }
    if (offset > directoryEnd - start || bytes != directoryEnd - start - offset)
        return false;
    const auto entry = source.read(start + offset, kEntryMark.size());
    return entry && (bytes == 0 || *entry == kEntryMark);
}

/// The end record of the archive that begins at `start`; the size of the source when there is none.
Result<std::uint64_t> findEnd(const ByteSource& source, std::uint64_t start, JobContext& job)
{
    for (std::uint64_t at = start; at < source.size(); at += kWindow) {
        if (job.cancelled())
            return JobContext::cancelledError();
        // Windows overlap, so that a mark across a border is seen.
        const auto window = source.read(at, kWindow + kEndMark.size() - 1);
        if (!window)
            return tl::unexpected(window.error());
        for (std::size_t hit = window->find(kEndMark); hit != std::string::npos;
             hit = window->find(kEndMark, hit + 1)) {
            if (closesArchive(source, start, at + hit))
                return at + hit;
        }
    }
    return source.size();
}

}  // namespace

Result<std::vector<ZipItem>> findZipItems(const ByteSource& source, JobContext& job)
{
    std::vector<ZipItem> items;
    std::uint64_t start = 0;
    while (start < source.size() && items.size() < kMaxItems) {
        const auto head = source.read(start, kLocalMark.size());
        if (!head)
            return tl::unexpected(head.error());
        if (*head != kLocalMark)
            break;
        const auto end = findEnd(source, start, job);
        if (!end)
            return tl::unexpected(end.error());
        const bool complete = *end < source.size();
        const std::uint64_t stop = complete ? *end + kEndBytes : source.size();
        items.push_back({start, stop - start, complete});
        start = stop;
    }
    return items;
}

}  // namespace firstbad::core
