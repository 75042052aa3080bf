// SPDX-License-Identifier: GPL-3.0-or-later
// RecentLines: whether a last line without a newline is whole, judged by the records before it.
//
// Keeps copies of the last records in reused buffers: no allocation once they have grown. One
// thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace firstbad::core {

enum class LastLine : std::uint8_t {
    Whole,  ///< has the shape of a record before it, down to the digits of its last number
    Torn,  ///< begins like a record, or is one with fewer fields: may be cut inside a number
    Other,  ///< not a record
};

class RecentLines
{
public:
    /// Of a long log a sample is enough: layouts repeat.
    void add(std::string_view line)
    {
        constexpr std::uint64_t kAllOfFirst = 64;
        constexpr std::uint64_t kStride = 7;
        if (++m_seen > kAllOfFirst && m_seen % kStride != 0)
            return;
        constexpr std::size_t kMaxKept = 4096;
        m_lines[m_next].assign(line.substr(0, kMaxKept));
        m_next = (m_next + 1) % m_lines.size();
    }

    /// `isRecord`: the dialect takes the line for one of its records.
    [[nodiscard]] LastLine judgeLast(std::string_view line, bool isRecord) const;

private:
    std::array<std::string, 16> m_lines;
    std::size_t m_next = 0;
    std::uint64_t m_seen = 0;
};

/// The line with every number written as '#' and runs of blanks as one: equal for equal layouts.
[[nodiscard]] std::string lineShape(std::string_view line);

}  // namespace firstbad::core
