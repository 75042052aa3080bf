// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/wandb_log.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <zlib.h>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kBlock = 32768;
constexpr std::uint64_t kHead = 7;
constexpr std::size_t kMaxRecord = std::size_t{256} << 20U;

std::uint32_t checksum(std::string_view bytes) noexcept
{
    // A fragment has at most 64 KiB, so the cast is exact.
    return static_cast<std::uint32_t>(::crc32(
        0, reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

}  // namespace

void WandbLog::report(const char* code, const char* what, std::uint64_t from, std::uint64_t to)
{
    SkippedPart part;
    part.code = code;
    part.reason = fmt::format("{} bytes from byte {} on {}.", to - from, from, what);
    part.offset = from;
    part.length = to - from;
    m_gaps.push_back(std::move(part));
}

void WandbLog::reportTornTail(std::uint64_t from)
{
    report("torn-tail", "are an incomplete record: the writer was stopped or is still writing",
        from, m_window.size());
    m_gaps.back().mayBeGrowing = true;
    m_joining = false;
    m_position = m_window.size();
}

Result<std::optional<WandbLog::Fragment>> WandbLog::nextFragment(JobContext& job)
{
    while (m_position < m_window.size()) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const std::uint64_t from = m_position;
        const std::uint64_t blockLeft = kBlock - from % kBlock;
        if (blockLeft < kHead) {
            m_position += blockLeft;
            continue;
        }
        const auto block = m_window.view(from, blockLeft);
        if (!block)
            return tl::unexpected(block.error());
        if (block->size() < kHead) {
            reportTornTail(m_joining ? m_recordOffset : from);
            return std::nullopt;
        }
        std::uint32_t stored = 0;
        std::uint16_t length = 0;
        std::memcpy(&stored, block->data(), sizeof stored);
        std::memcpy(&length, block->data() + sizeof stored, sizeof length);
        const auto type = static_cast<std::uint8_t>((*block)[6]);
        if (length > blockLeft - kHead || type == 0 || type > 4) {
            const bool zeros = std::count(block->begin(), block->end(), '\0')
                == static_cast<std::ptrdiff_t>(block->size());
            report(zeros ? "zero-fill" : "garbage",
                zeros ? "are zeros that were never written" : "are no records", from,
                from + block->size());
            m_position += block->size();
            m_joining = false;
            continue;
        }
        if (length > block->size() - kHead) {
            reportTornTail(m_joining ? m_recordOffset : from);
            return std::nullopt;
        }
        m_position += kHead + length;
        if (stored != checksum(block->substr(6, 1U + length))) {
            report("bad-data-crc", "have a wrong checksum and are not counted", from, m_position);
            m_joining = false;
            continue;
        }
        return Fragment{static_cast<FragmentType>(type), from, block->substr(kHead, length)};
    }
    if (m_joining)
        reportTornTail(m_recordOffset);
    return std::nullopt;
}

bool WandbLog::join(const Fragment& fragment)
{
    const bool begins = fragment.type == FragmentType::Full || fragment.type == FragmentType::First;
    if (!begins && !m_joining)
        return false;  // its beginning was damaged and has been reported
    if (begins) {
        if (m_joining)
            report("garbage", "are the beginning of a record that does not go on", m_recordOffset,
                fragment.offset);
        m_recordOffset = fragment.offset;
        m_record.clear();
    }
    if (m_record.size() + fragment.data.size() > kMaxRecord) {
        report("record-too-large", "are one record beyond 256 MiB", m_recordOffset, m_position);
        m_joining = false;
        return false;
    }
    m_record.append(fragment.data);
    m_joining = fragment.type == FragmentType::First || fragment.type == FragmentType::Middle;
    return !m_joining;
}

Result<std::optional<std::string_view>> WandbLog::next(JobContext& job)
{
    while (true) {
        auto fragment = nextFragment(job);
        if (!fragment)
            return tl::unexpected(std::move(fragment.error()));
        if (!*fragment)
            return std::nullopt;
        if (join(**fragment))
            return std::string_view(m_record);
    }
}

}  // namespace firstbad::core
