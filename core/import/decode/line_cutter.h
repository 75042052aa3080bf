// SPDX-License-Identifier: GPL-3.0-or-later
// LineCutter: physical lines of a byte stream, without copying them.
//
// One thread. Memory: two blocks of 1 MiB, or the longest line (16 MiB of one are kept, the rest is
// dropped and reported). A returned view lives until the next call.
#pragma once

#include "core/import/decode/byte_stream.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace firstbad::core {

inline constexpr std::size_t kMaxLineBytes = 16U << 20U;

struct PhysicalLine {
    std::string_view text;  ///< without the line end
    std::uint64_t offset = 0;  ///< bytes into the stream
    bool cutOff = false;  ///< the line is longer than kMaxLineBytes: see takeDropped()
    bool terminated = true;  ///< false: the stream ended without a newline
    bool plain = true;  ///< holds no control characters but tabs (checked block by block)
};

class LineCutter
{
public:
    explicit LineCutter(std::unique_ptr<ByteStream> bytes);

    /// The next line; nullopt at the end of the stream.
    [[nodiscard]] Result<std::optional<PhysicalLine>> next();

    /// What the last call of next() left out because the line before it was too long.
    [[nodiscard]] std::uint64_t takeDropped() noexcept { return std::exchange(m_dropped, 0); }

    [[nodiscard]] const ByteStream& bytes() const noexcept { return *m_bytes; }
    /// Bytes taken from the stream so far.
    [[nodiscard]] std::uint64_t consumed() const noexcept { return m_offset; }

private:
    [[nodiscard]] Result<std::size_t> fill();
    [[nodiscard]] Result<std::size_t> dropRestOfLine();
    [[nodiscard]] PhysicalLine cut(std::size_t length, bool terminated);

    std::unique_ptr<ByteStream> m_bytes;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    std::uint64_t m_offset = 0;  // of m_buffer[m_begin] in the stream
    bool m_plain = true;  // no control characters since the buffer was last empty
    bool m_ended = false;
    bool m_dropping = false;  // the rest of an overlong line is still to be read past
    std::uint64_t m_dropped = 0;
};

}  // namespace firstbad::core
