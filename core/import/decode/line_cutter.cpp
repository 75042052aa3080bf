// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/line_cutter.h"

#include <cstring>

namespace firstbad::core {
namespace {

constexpr std::size_t kBlock = 1U << 20U;

/// Whether a line of the block may need more than its line end taken off.
bool holdsControl(const char* data, std::size_t size) noexcept
{
    // Four passes of memchr are faster than one loop that looks for four characters.
    for (const char c : {'\r', '\x1B', '\0', '\b'}) {
        if (std::memchr(data, static_cast<unsigned char>(c), size) != nullptr)
            return true;
    }
    // "%|" is how tqdm draws: bars also stand in front of records without any carriage return.
    for (const char* at = data; at != nullptr;) {
        const auto left = size - static_cast<std::size_t>(at - data);
        at = static_cast<const char*>(std::memchr(at, '%', left));
        if (at != nullptr && ++at < data + size && *at == '|')
            return true;
        if (at == data + size)
            break;
    }
    return false;
}

}  // namespace

LineCutter::LineCutter(std::unique_ptr<ByteStream> bytes)
    : m_bytes(std::move(bytes))
    , m_buffer(2 * kBlock)
{ }

Result<std::size_t> LineCutter::fill()
{
    if (m_ended)
        return 0;
    if (m_begin == m_end) {
        m_begin = m_end = 0;
        m_plain = true;
    } else if (m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
        m_plain = m_plain || !holdsControl(m_buffer.data(), m_end);
    }
    if (m_buffer.size() - m_end < kBlock)
        m_buffer.resize(m_end + kBlock);
    auto got = m_bytes->read(std::span(m_buffer).subspan(m_end, kBlock));
    if (!got)
        return got;
    if (*got == 0)
        m_ended = true;
    else
        m_plain = m_plain && !holdsControl(m_buffer.data() + m_end, *got);
    m_end += *got;
    return got;
}

PhysicalLine LineCutter::cut(std::size_t length, bool terminated)
{
    PhysicalLine line;
    line.text = std::string_view(m_buffer.data() + m_begin, length);
    line.offset = m_offset;
    line.terminated = terminated;
    line.plain = m_plain;
    const std::size_t taken = length + (terminated ? 1U : 0U);
    m_begin += taken;
    m_offset += taken;
    return line;
}

Result<std::size_t> LineCutter::dropRestOfLine()
{
    for (;;) {
        const char* begin = m_buffer.data() + m_begin;
        const void* end = std::memchr(begin, '\n', m_end - m_begin);
        const std::size_t length = end == nullptr
            ? m_end - m_begin
            : static_cast<std::size_t>(static_cast<const char*>(end) - begin) + 1;
        m_begin += length;
        m_offset += length;
        m_dropped += length;
        if (end != nullptr)
            break;
        const auto got = fill();
        if (!got || *got == 0)
            return got;
    }
    m_dropping = false;
    return 1;
}

Result<std::optional<PhysicalLine>> LineCutter::next()
{
    if (m_dropping) {
        const auto got = dropRestOfLine();
        if (!got)
            return tl::unexpected(got.error());
    }
    std::size_t searched = 0;
    for (;;) {
        const std::size_t have = m_end - m_begin;
        const char* begin = m_buffer.data() + m_begin;
        const void* end
            = have > searched ? std::memchr(begin + searched, '\n', have - searched) : nullptr;
        if (end != nullptr)
            return cut(static_cast<std::size_t>(static_cast<const char*>(end) - begin), true);
        searched = have;
        if (have >= kMaxLineBytes) {
            m_dropping = true;
            PhysicalLine line = cut(kMaxLineBytes, false);
            line.cutOff = true;
            return line;
        }
        const auto got = fill();
        if (!got)
            return tl::unexpected(got.error());
        if (*got == 0) {
            if (have == 0)
                return std::nullopt;
            return cut(have, false);
        }
    }
}

}  // namespace firstbad::core
