// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/compact_column.h"

#include "core/base/value_kind.h"

#include <algorithm>
#include <bit>

namespace firstbad::core {
namespace {

// A NaN that no reader of numbers makes.
constexpr std::uint64_t kMissingBits = 0x7FF8'0000'0BAD'F00DU;
constexpr std::size_t kSlack = 1024;  // bytes by which stretches may cost more than doubles

std::uint64_t bitsOf(double value) noexcept
{
    return std::bit_cast<std::uint64_t>(value);
}

}  // namespace

double CompactColumn::valueIn(const Stretch& stretch, std::size_t row) noexcept
{
    return stretch.sloped == 0
        ? stretch.start
        : stretch.start + stretch.slope * static_cast<double>(row - stretch.first);
}

void CompactColumn::add(double value)
{
    addBits(value);
}

void CompactColumn::addMissing()
{
    addBits(std::bit_cast<double>(kMissingBits));
}

void CompactColumn::fillTo(std::size_t rows)
{
    while (m_size < rows)
        addMissing();
}

void CompactColumn::addBits(double value)
{
    const std::size_t row = m_size++;
    if (m_isPlain) {
        m_plain.push_back(value);
        return;
    }
    if (!m_stretches.empty()) {
        Stretch& last = m_stretches.back();
        if (bitsOf(valueIn(last, row)) == bitsOf(value))
            return;
        const bool second = row == last.first + std::size_t{1};
        if (second && isFinite(last.start) && isFinite(value)) {
            const Stretch sloped{last.first, 1, last.start, value - last.start};
            if (bitsOf(valueIn(sloped, row)) == bitsOf(value)) {
                last = sloped;
                return;
            }
        }
    }
    m_stretches.push_back({static_cast<std::uint32_t>(row), 0, value, 0.0});
    if (m_stretches.size() * sizeof(Stretch) > m_size * sizeof(double) + kSlack)
        makePlain();
}

void CompactColumn::makePlain()
{
    std::vector<double> plain;
    plain.reserve(m_size * 2);
    for (std::size_t s = 0; s < m_stretches.size(); ++s) {
        const std::size_t end = s + 1 < m_stretches.size() ? m_stretches[s + 1].first : m_size;
        for (std::size_t row = m_stretches[s].first; row < end; ++row)
            plain.push_back(valueIn(m_stretches[s], row));
    }
    m_plain = std::move(plain);
    m_stretches = {};
    m_isPlain = true;
}

std::uint64_t CompactColumn::bitsAt(std::size_t row) const noexcept
{
    if (m_isPlain)
        return bitsOf(m_plain[row]);
    const auto next = std::upper_bound(m_stretches.begin(), m_stretches.end(), row,
        [](std::size_t wanted, const Stretch& stretch) { return wanted < stretch.first; });
    return bitsOf(valueIn(*(next - 1), row));
}

std::optional<double> CompactColumn::at(std::size_t row) const noexcept
{
    if (row >= m_size)
        return std::nullopt;
    const std::uint64_t bits = bitsAt(row);
    return bits == kMissingBits ? std::nullopt : std::optional(std::bit_cast<double>(bits));
}

bool CompactColumn::startsLike(const CompactColumn& other, std::size_t rows) const noexcept
{
    if (rows > m_size || rows > other.m_size)
        return false;
    if (m_isPlain && other.m_isPlain)
        return std::equal(m_plain.begin(), m_plain.begin() + static_cast<std::ptrdiff_t>(rows),
            other.m_plain.begin(), [](double a, double b) { return bitsOf(a) == bitsOf(b); });
    if (m_isPlain || other.m_isPlain) {
        std::size_t row = 0;
        while (row < rows && bitsAt(row) == other.bitsAt(row))
            ++row;
        return row == rows;
    }
    // The same numbers give the same stretches; only the last may be longer in one of them, and it
    // may have found its slope only behind `rows`.
    for (std::size_t s = 0; s < m_stretches.size() && m_stretches[s].first < rows; ++s) {
        if (s >= other.m_stretches.size() || other.m_stretches[s].first != m_stretches[s].first)
            return false;
        const std::size_t end = s + 1 < m_stretches.size() ? m_stretches[s + 1].first : m_size;
        const std::size_t otherEnd
            = s + 1 < other.m_stretches.size() ? other.m_stretches[s + 1].first : other.m_size;
        if (std::min(end, rows) != std::min(otherEnd, rows))
            return false;
        const std::size_t last = std::min(end, rows) - 1;
        if (bitsOf(m_stretches[s].start) != bitsOf(other.m_stretches[s].start)
            || bitsOf(valueIn(m_stretches[s], last)) != other.bitsAt(last))
            return false;
    }
    return true;
}

bool CompactColumn::isMissingUpTo(std::size_t rows) const noexcept
{
    for (std::size_t row = 0; row < std::min(rows, m_size); ++row) {
        if (bitsAt(row) != kMissingBits)
            return false;
    }
    return true;
}

std::size_t CompactColumn::bytes() const noexcept
{
    return m_stretches.capacity() * sizeof(Stretch) + m_plain.capacity() * sizeof(double);
}

void CompactColumn::shrink()
{
    m_stretches.shrink_to_fit();
    m_plain.shrink_to_fit();
}

}  // namespace firstbad::core
