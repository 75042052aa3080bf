// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/tfrecord_reader.h"

#include "core/base/text.h"
#include "core/import/binary/crc32c.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kSearchLimit = 64U << 20U;
constexpr std::uint64_t kSearchBlock = 1U << 20U;
// A file built of false headers could make every one of them cost a checksum over its claim.
constexpr std::uint64_t kCandidateBudget = 1U << 30U;

template <class T> T loadLittle(const char* at) noexcept
{
    T value{};
    std::memcpy(&value, at, sizeof value);
    return value;
}

bool isMostlyZero(std::string_view bytes) noexcept
{
    const auto zeros = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\0'));
    return !bytes.empty() && (bytes.size() - zeros) * 16 <= bytes.size();
}

/// The bytes between two good records are one record whose header alone is wrong.
bool isRecordWithBadHeader(std::string_view gap) noexcept
{
    if (gap.size() < kTfRecordFrame)
        return false;
    const auto data = gap.substr(kTfRecordHead, gap.size() - kTfRecordFrame);
    return loadLittle<std::uint32_t>(gap.data() + gap.size() - 4) == maskedCrc(crc32c(data));
}

SkippedPart makePart(const char* code, std::string reason, std::uint64_t from, std::uint64_t to)
{
    SkippedPart part;
    part.code = code;
    part.reason = std::move(reason);
    part.offset = from;
    part.length = to - from;
    return part;
}

}  // namespace

std::optional<std::uint64_t> tfRecordLength(std::string_view head) noexcept
{
    if (head.size() < kTfRecordHead)
        return std::nullopt;
    if (loadLittle<std::uint32_t>(head.data() + 8) != maskedCrc(crc32c(head.substr(0, 8))))
        return std::nullopt;
    return loadLittle<std::uint64_t>(head.data());
}

Result<TfRecordReader::Frame> TfRecordReader::frameAt(std::uint64_t offset)
{
    const auto head = m_window.view(offset, kTfRecordHead);
    if (!head)
        return tl::unexpected(head.error());
    if (head->empty())
        return Frame{};
    if (head->size() < kTfRecordHead)
        return Frame{FrameState::Torn, 0, {}};
    const auto length = tfRecordLength(*head);
    if (!length)
        return Frame{FrameState::BadLength, 0, {}};
    const std::uint64_t left = m_window.size() - offset;
    if (left < kTfRecordFrame || *length > left - kTfRecordFrame)
        return Frame{FrameState::Torn, *length, {}};
    if (*length > kMaxTfRecord)
        return Frame{FrameState::TooLarge, *length, {}};
    const auto record = m_window.view(offset, *length + kTfRecordFrame);
    if (!record)
        return tl::unexpected(record.error());
    if (record->size() < *length + kTfRecordFrame)
        return Frame{FrameState::Torn, *length, {}};
    const auto data = record->substr(kTfRecordHead, *length);
    const auto stored = loadLittle<std::uint32_t>(data.data() + data.size());
    const bool good = stored == maskedCrc(crc32c(data));
    return Frame{good ? FrameState::Good : FrameState::BadData, *length, data};
}

Result<std::optional<TfRecord>> TfRecordReader::next(JobContext& job)
{
    while (true) {
        auto frame = frameAt(m_position);
        if (!frame)
            return tl::unexpected(std::move(frame.error()));
        if (frame->state == FrameState::Good) {
            const std::uint64_t offset
                = std::exchange(m_position, m_position + frame->length + kTfRecordFrame);
            return TfRecord{offset, frame->data};
        }
        if (frame->state == FrameState::End)
            return std::nullopt;
        if (auto done = stepOver(*frame, job); !done)
            return tl::unexpected(std::move(done.error()));
    }
}

Result<bool> TfRecordReader::recordMayStartAt(std::uint64_t offset)
{
    const auto head = m_window.view(offset, kTfRecordHead);
    if (!head)
        return tl::unexpected(head.error());
    return head->empty() || tfRecordLength(*head).has_value();
}

Result<void> TfRecordReader::stepOver(const Frame& frame, JobContext& job)
{
    const std::uint64_t end = m_position + frame.length + kTfRecordFrame;
    if (frame.state == FrameState::TooLarge) {
        m_gaps.push_back(makePart("record-too-large",
            fmt::format("The record at byte {} has {}, more than the {} that one record may have.",
                m_position, humanBytes(frame.length), humanBytes(kMaxTfRecord)),
            m_position, end));
        m_position = end;
        return {};
    }
    if (frame.state == FrameState::BadData) {
        const auto followed = recordMayStartAt(end);
        if (!followed)
            return tl::unexpected(followed.error());
        if (*followed) {
            m_gaps.push_back(makePart("bad-data-crc",
                fmt::format(
                    "The record at byte {} has a wrong checksum and is not counted.", m_position),
                m_position, end));
            m_position = end;
            return {};
        }
    }
    return resynchronise(frame, job);
}

Result<void> TfRecordReader::resynchronise(const Frame& frame, JobContext& job)
{
    const std::uint64_t from = m_position;
    const auto found = findRecord(from + 1, job);
    if (!found)
        return tl::unexpected(found.error());
    m_position = found->value_or(m_window.size());
    return *found ? reportGap(from, m_position) : reportTail(from, frame);
}

Result<std::optional<std::uint64_t>> TfRecordReader::findRecord(std::uint64_t from, JobContext& job)
{
    const std::uint64_t size = m_window.size();
    const std::uint64_t limit = std::min(size, from + kSearchLimit);
    std::uint64_t blockStart = from;
    while (blockStart + kTfRecordFrame <= size && blockStart < limit) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const auto block = m_window.view(blockStart, kSearchBlock);
        if (!block)
            return tl::unexpected(block.error());
        if (block->size() < kTfRecordHead)
            break;
        const std::uint64_t end = block->size() - kTfRecordHead + 1;
        std::uint64_t at = 0;
        for (; at < end; ++at) {
            const auto length = loadLittle<std::uint64_t>(block->data() + at);
            if (length <= size - blockStart - at && tfRecordLength(block->substr(at)))
                break;
        }
        blockStart += at;
        if (at == end)
            continue;
        const auto frame = frameAt(blockStart);
        if (!frame)
            return tl::unexpected(frame.error());
        if (frame->state == FrameState::Good)
            return blockStart;
        m_candidateBytes += frame->length * (frame->state == FrameState::BadData) + kSearchBlock;
        if (m_candidateBytes > kCandidateBudget)
            break;
        ++blockStart;
    }
    return std::nullopt;
}

Result<void> TfRecordReader::reportGap(std::uint64_t from, std::uint64_t to)
{
    const auto gap = m_window.view(from, std::min(to - from, kSearchBlock));
    if (!gap)
        return tl::unexpected(gap.error());
    const std::uint64_t length = to - from;
    if (isMostlyZero(*gap)) {
        m_gaps.push_back(makePart("zero-fill",
            fmt::format(
                "{} bytes from byte {} on are zeros that were never written.", length, from),
            from, to));
    } else if (length <= kSearchBlock && isRecordWithBadHeader(*gap)) {
        m_gaps.push_back(makePart("bad-length-crc",
            fmt::format("The record at byte {} has a damaged header and is not counted.", from),
            from, to));
    } else {
        m_gaps.push_back(makePart("garbage",
            fmt::format("{} bytes from byte {} on are no records.", length, from), from, to));
    }
    return {};
}

Result<void> TfRecordReader::reportTail(std::uint64_t from, const Frame& frame)
{
    const std::uint64_t size = m_window.size();
    const auto tail = m_window.view(from, std::min(size - from, kSearchBlock));
    if (!tail)
        return tl::unexpected(tail.error());
    const bool torn = frame.state == FrameState::Torn;
    if (isMostlyZero(*tail) && !(torn && tail->size() >= kTfRecordHead)) {
        m_gaps.push_back(makePart("zero-fill",
            fmt::format("The last {} bytes, from byte {} on, are zeros that were never written.",
                size - from, from),
            from, size));
        return {};
    }
    if (!torn) {
        m_gaps.push_back(makePart("garbage",
            fmt::format("No record was found in the {} bytes from byte {} on.", size - from, from),
            from, size));
        return {};
    }
    if (tail->size() > kTfRecordHead)
        m_tornData = tail->substr(kTfRecordHead, frame.length);
    m_gaps.push_back(makePart("torn-tail",
        fmt::format("The last {} bytes, from byte {} on, are an incomplete record: the writer was "
                    "stopped or is still writing.",
            size - from, from),
        from, size));
    m_gaps.back().mayBeGrowing = true;
    return {};
}

std::vector<SkippedPart> TfRecordReader::takeGaps()
{
    return std::exchange(m_gaps, {});
}

}  // namespace firstbad::core
