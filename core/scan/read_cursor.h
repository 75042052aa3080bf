// SPDX-License-Identifier: GPL-3.0-or-later
// ReadCursor: hands out the bytes to read, in file order, in pieces that fit one buffer.
//
// Private to core/scan. Small storages that lie close together share a piece, large ones are cut.
// next() may be called from several threads; constant memory beside the sorted list of storages.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace firstbad::core {

struct ReadPart {
    std::uint32_t storage = 0;
    std::uint64_t begin = 0;  ///< byte of the storage; a multiple of 16
    std::size_t bytes = 0;
    std::size_t at = 0;  ///< byte of the buffer
};

struct ReadUnit {
    std::uint32_t file = 0;
    std::uint64_t offset = 0;  ///< of the first byte in the file
    std::size_t bytes = 0;
    std::vector<ReadPart> parts;
};

class ReadCursor
{
public:
    /// `storages`: the raw ones to read, in any order.
    ReadCursor(
        const Checkpoint& checkpoint, std::vector<std::uint32_t> storages, std::size_t pieceBytes);

    /// False when everything has been handed out.
    [[nodiscard]] bool next(ReadUnit& unit);

private:
    [[nodiscard]] const Storage& storageAt(std::size_t place) const
    {
        return m_checkpoint.storages[m_order[place]];
    }
    void takeNeighbours(ReadUnit& unit);

    const Checkpoint& m_checkpoint;
    std::vector<std::uint32_t> m_order;
    std::size_t m_piece;
    std::mutex m_mutex;
    std::size_t m_at = 0;  // guarded by m_mutex
    std::uint64_t m_inside = 0;  // guarded by m_mutex
};

}  // namespace firstbad::core
