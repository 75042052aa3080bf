// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/read_cursor.h"

#include <algorithm>
#include <tuple>

namespace firstbad::core {
namespace {

constexpr std::size_t kAlignment = 16;  // of the widest value, so that no piece cuts one
constexpr std::uint64_t kWidestGap = 64U << 10U;  // read over rather than asked for separately

}  // namespace

ReadCursor::ReadCursor(
    const Checkpoint& checkpoint, std::vector<std::uint32_t> storages, std::size_t pieceBytes)
    : m_checkpoint(checkpoint)
    , m_order(std::move(storages))
    , m_piece(std::max(pieceBytes / kAlignment * kAlignment, kAlignment))
{
    std::sort(m_order.begin(), m_order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Storage& left = m_checkpoint.storages[a];
        const Storage& right = m_checkpoint.storages[b];
        return std::tie(left.file, left.offset, a) < std::tie(right.file, right.offset, b);
    });
}

bool ReadCursor::next(ReadUnit& unit)
{
    const std::scoped_lock lock(m_mutex);
    unit.parts.clear();
    while (m_at < m_order.size() && m_inside >= storageAt(m_at).bytes) {
        ++m_at;
        m_inside = 0;
    }
    if (m_at == m_order.size())
        return false;
    const Storage& storage = storageAt(m_at);
    const std::uint64_t left = storage.bytes - m_inside;
    unit.file = storage.file;
    unit.offset = storage.offset + m_inside;
    unit.bytes = static_cast<std::size_t>(std::min<std::uint64_t>(left, m_piece));
    unit.parts.push_back({m_order[m_at], m_inside, unit.bytes, 0});
    m_inside += unit.bytes;
    if (unit.bytes == left)
        takeNeighbours(unit);
    return true;
}

void ReadCursor::takeNeighbours(ReadUnit& unit)
{
    ++m_at;
    m_inside = 0;
    while (m_at < m_order.size()) {
        const Storage& next = storageAt(m_at);
        const std::uint64_t end = unit.offset + unit.bytes;
        if (next.file != unit.file || next.offset < end || next.offset - end > kWidestGap
            || next.bytes > m_piece || next.offset + next.bytes - unit.offset > m_piece)
            return;
        const auto at = static_cast<std::size_t>(next.offset - unit.offset);
        unit.parts.push_back({m_order[m_at], 0, static_cast<std::size_t>(next.bytes), at});
        unit.bytes = at + static_cast<std::size_t>(next.bytes);
        ++m_at;
    }
}

}  // namespace firstbad::core
