// SPDX-License-Identifier: GPL-3.0-or-later
// TfRecordReader: the records of a TFRecord file, with both checksums checked and damage stepped
// over.
//
// u64 length, masked CRC of it, data, masked CRC of that; repeated. One thread; memory is one block
// or the longest record. After damage the next good record is searched for, at most 64 MiB far.
#pragma once

#include "core/base/job_context.h"
#include "core/import/binary/file_window.h"
#include "core/import/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct TfRecord {
    std::uint64_t offset = 0;
    std::string_view data;  ///< valid until the next call of the reader
};

inline constexpr std::uint64_t kTfRecordHead = 12;  ///< length and its checksum
inline constexpr std::uint64_t kTfRecordFrame = 16;  ///< bytes of a record that are not data
inline constexpr std::uint64_t kMaxTfRecord = 256U << 20U;

/// The data length that a record header states; nullopt when its checksum is wrong or bytes lack.
[[nodiscard]] std::optional<std::uint64_t> tfRecordLength(std::string_view head) noexcept;

class TfRecordReader
{
public:
    explicit TfRecordReader(FileWindow window)
        : m_window(std::move(window))
    { }

    /// The next good record; nullopt at the end.
    [[nodiscard]] Result<std::optional<TfRecord>> next(JobContext& job);

    /// What was stepped over since the last call, in file order. Usually empty.
    [[nodiscard]] bool hasGaps() const noexcept { return !m_gaps.empty(); }
    [[nodiscard]] std::vector<SkippedPart> takeGaps();

    /// What there is of the data of a record that the end of the file cut off.
    [[nodiscard]] const std::string& tornData() const noexcept { return m_tornData; }
    [[nodiscard]] std::uint64_t position() const noexcept { return m_position; }
    [[nodiscard]] std::uint64_t size() const noexcept { return m_window.size(); }

private:
    enum class FrameState : std::uint8_t { Good, End, BadLength, BadData, Torn, TooLarge };
    struct Frame {
        FrameState state = FrameState::End;
        std::uint64_t length = 0;
        std::string_view data;
    };

    [[nodiscard]] Result<Frame> frameAt(std::uint64_t offset);
    [[nodiscard]] Result<bool> recordMayStartAt(std::uint64_t offset);
    [[nodiscard]] Result<void> stepOver(const Frame& frame, JobContext& job);
    [[nodiscard]] Result<void> resynchronise(const Frame& frame, JobContext& job);
    [[nodiscard]] Result<std::optional<std::uint64_t>> findRecord(
        std::uint64_t from, JobContext& job);
    [[nodiscard]] Result<void> reportGap(std::uint64_t from, std::uint64_t to);
    [[nodiscard]] Result<void> reportTail(std::uint64_t from, const Frame& frame);

    FileWindow m_window;
    std::uint64_t m_position = 0;
    std::uint64_t m_candidateBytes = 0;  // spent on records that turned out to be none
    std::vector<SkippedPart> m_gaps;
    std::string m_tornData;
};

}  // namespace firstbad::core
