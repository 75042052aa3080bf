// SPDX-License-Identifier: GPL-3.0-or-later
// WandbLog: the records of a W&B offline file, joined from their fragments, checksums checked.
//
// 7 bytes of header, then blocks of 32 KiB with fragments (u32 CRC-32, u16 length, u8 type), as in
// LevelDB's log. One thread; memory is one block and the longest record (at most 256 MiB).
#pragma once

#include "core/base/job_context.h"
#include "core/import/binary/file_window.h"
#include "core/import/source.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace firstbad::core {

inline constexpr std::string_view kWandbHeader{":W&B\xE1\xBE\x00", 7};

class WandbLog
{
public:
    /// `window` is a file whose header was checked.
    explicit WandbLog(FileWindow window)
        : m_window(std::move(window))
    { }

    /// The payload of the next whole record, valid until the next call; nullopt at the end.
    [[nodiscard]] Result<std::optional<std::string_view>> next(JobContext& job);
    [[nodiscard]] std::vector<SkippedPart> takeGaps() { return std::exchange(m_gaps, {}); }
    [[nodiscard]] std::uint64_t recordOffset() const noexcept { return m_recordOffset; }

private:
    enum class FragmentType : std::uint8_t { Zero, Full, First, Middle, Last };
    struct Fragment {
        FragmentType type = FragmentType::Zero;
        std::uint64_t offset = 0;
        std::string_view data;
    };

    [[nodiscard]] Result<std::optional<Fragment>> nextFragment(JobContext& job);
    [[nodiscard]] bool join(const Fragment& fragment);
    void report(const char* code, const char* what, std::uint64_t from, std::uint64_t to);
    void reportTornTail(std::uint64_t from);

    FileWindow m_window;
    std::uint64_t m_position = kWandbHeader.size();
    std::uint64_t m_recordOffset = 0;
    bool m_joining = false;
    std::string m_record;
    std::vector<SkippedPart> m_gaps;
};

}  // namespace firstbad::core
