// SPDX-License-Identifier: GPL-3.0-or-later
// LedgerGroup: the ledgers of all ranks of one attempt, joined by (step, micro_step).
//
// Wall clocks are never compared. Immutable once built; any thread. Ranks whose rows are the
// beginning of the longest rank's rows cost nothing; others 4 bytes a row.
#pragma once

#include "core/ledger/rank_ledger.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace firstbad::core {

struct LedgerKey {
    std::int64_t step = 0;
    std::int64_t microStep = 0;
    auto operator<=>(const LedgerKey&) const = default;
};

class LedgerGroup
{
public:
    /// Ledgers of one run and attempt. Of two files for one rank the first is joined.
    explicit LedgerGroup(std::vector<RankLedgerPtr> ledgers);

    [[nodiscard]] const std::string& run() const noexcept { return first().header.runId; }
    [[nodiscard]] std::int64_t attempt() const noexcept { return first().header.attempt; }
    [[nodiscard]] std::int32_t worldSize() const noexcept { return m_worldSize; }
    /// Joined ledgers by rank.
    [[nodiscard]] const std::vector<RankLedgerPtr>& ranks() const noexcept { return m_ranks; }
    /// Files that name a rank which another file names too.
    [[nodiscard]] const std::vector<RankLedgerPtr>& repeated() const noexcept { return m_repeated; }
    /// All (step, micro_step), ascending.
    [[nodiscard]] const std::vector<LedgerKey>& keys() const noexcept { return m_keys; }
    [[nodiscard]] std::optional<std::size_t> rowOf(
        std::size_t rank, std::size_t key) const noexcept;
    /// Keys of that step.
    [[nodiscard]] std::pair<std::size_t, std::size_t> keysOfStep(std::int64_t step) const noexcept;
    /// Whether row i of both is of the same key for the first `rows` rows.
    [[nodiscard]] bool isAligned(std::size_t rank) const noexcept { return m_rows[rank].empty(); }
    [[nodiscard]] std::optional<std::int64_t> firstStep() const noexcept;
    [[nodiscard]] std::optional<std::int64_t> lastStep() const noexcept;
    [[nodiscard]] static std::optional<std::int64_t> lastStepOf(const RankLedger& ledger) noexcept;

private:
    [[nodiscard]] const RankLedger& first() const noexcept { return *m_ranks.front(); }
    void findKeys();
    void mapRank(std::size_t rank);

    std::vector<RankLedgerPtr> m_ranks;
    std::vector<RankLedgerPtr> m_repeated;
    std::vector<LedgerKey> m_keys;
    std::vector<std::vector<std::uint32_t>> m_rows;  // by rank: row of a key; empty when aligned
    std::int32_t m_worldSize = 1;
};

/// One group a run and attempt, in the order of run names and attempt numbers. Files without rows
/// and header are left out: they name neither.
[[nodiscard]] std::vector<LedgerGroup> groupLedgers(std::span<const RankLedgerPtr> ledgers);

/// "0", "0-3", "0-3, 7": ranks in ascending order.
[[nodiscard]] std::string rankRanges(std::span<const std::int32_t> ranks);

}  // namespace firstbad::core
