// SPDX-License-Identifier: GPL-3.0-or-later
// Inflater: the decoded bytes of a deflate or zlib stream, front to back, never more than allowed.
//
// Owns one zlib state and 64 KiB of input; one thread. Memory does not grow with the stream.
#pragma once

#include "core/checkpoint/byte_source.h"

#include <memory>

namespace firstbad::core {

enum class DeflateWrapper : std::uint8_t { None, Zlib };

class Inflater
{
public:
    Inflater(ByteSource source, DeflateWrapper wrapper);
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    /// Fills `buffer`; fewer bytes only at the end of the stream. Malformed when it is broken or
    /// ends early: `decodedBytes()` tells how far it got.
    [[nodiscard]] Result<std::size_t> read(std::span<char> buffer);
    [[nodiscard]] std::uint64_t decodedBytes() const noexcept { return m_decoded; }

private:
    struct State;
    [[nodiscard]] Result<bool> refill();

    ByteSource m_source;
    std::unique_ptr<State> m_state;
    std::uint64_t m_position = 0;
    std::uint64_t m_decoded = 0;
    bool m_ended = false;
};

}  // namespace firstbad::core
