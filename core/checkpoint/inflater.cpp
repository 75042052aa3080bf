// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inflater.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <zlib.h>

namespace firstbad::core {

struct Inflater::State {
    z_stream stream{};
    std::array<char, 65536> input{};
    bool ready = false;
};

Inflater::Inflater(ByteSource source, DeflateWrapper wrapper)
    : m_source(std::move(source))
    , m_state(std::make_unique<State>())
{
    const int windowBits = wrapper == DeflateWrapper::None ? -MAX_WBITS : MAX_WBITS;
    m_state->ready = ::inflateInit2(&m_state->stream, windowBits) == Z_OK;
}

Inflater::~Inflater()
{
    if (m_state->ready)
        ::inflateEnd(&m_state->stream);
}

Result<bool> Inflater::refill()
{
    const auto got = m_source.readAt(m_position, m_state->input);
    if (!got)
        return tl::unexpected(got.error());
    m_position += *got;
    m_state->stream.next_in = reinterpret_cast<Bytef*>(m_state->input.data());
    m_state->stream.avail_in = static_cast<uInt>(*got);
    return *got > 0;
}

Result<std::size_t> Inflater::read(std::span<char> buffer)
{
    if (!m_state->ready)
        return fail(ErrorCode::OutOfMemory, "no memory for a decompressor");
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    z_stream& stream = m_state->stream;
    buffer = buffer.first(std::min(buffer.size(), kMost));
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    while (stream.avail_out > 0 && !m_ended) {
        if (stream.avail_in == 0) {
            const auto more = refill();
            if (!more)
                return tl::unexpected(more.error());
            if (!*more) {
                m_decoded += buffer.size() - stream.avail_out;
                return fail(ErrorCode::Malformed,
                    fmt::format(
                        "a compressed record ends early, after {} decoded bytes", m_decoded));
            }
        }
        const int status = ::inflate(&stream, Z_NO_FLUSH);
        m_ended = status == Z_STREAM_END;
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
            m_decoded += buffer.size() - stream.avail_out;
            return fail(ErrorCode::Malformed,
                fmt::format("a compressed record is broken after {} decoded bytes", m_decoded));
        }
    }
    const std::size_t got = buffer.size() - stream.avail_out;
    m_decoded += got;
    return got;
}

}  // namespace firstbad::core
