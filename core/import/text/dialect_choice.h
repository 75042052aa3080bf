// SPDX-License-Identifier: GPL-3.0-or-later
// DialectScores: which dialect the head of a file speaks, and which ranks print its records.
//
// Adds up what each primary dialect says of each line. One thread; no memory but the counters.
#pragma once

#include "core/import/text/line_dialect.h"

#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

namespace firstbad::core {

class DialectScores
{
public:
    DialectScores();

    void add(const TextLine& line);

    /// Enough was seen: many records of one dialect, or a long head without any.
    [[nodiscard]] bool decided() const noexcept;
    /// The primary dialect with the highest sum; nullptr when no line was anyone's.
    [[nodiscard]] const LineDialect* best() const noexcept;
    /// Whether the best is a framework's own dialect that knew several lines.
    [[nodiscard]] bool isCertain() const noexcept;
    /// Several ranks print records, each its own numbers: one series a rank.
    [[nodiscard]] bool ranksDiffer() const noexcept;
    /// Several ranks print records.
    [[nodiscard]] bool severalRanks() const noexcept { return m_ranks.size() > 1; }

private:
    std::vector<std::uint64_t> m_sums;  // parallel to dialectTable()
    std::uint64_t m_lines = 0;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_hits = 0;
    std::set<std::int32_t> m_ranks;
    std::unordered_map<std::size_t, std::int32_t> m_firstRank;  // hash of a record: who said it
    std::uint64_t m_repeatedByOthers = 0;
    std::uint64_t m_ranked = 0;
};

}  // namespace firstbad::core
