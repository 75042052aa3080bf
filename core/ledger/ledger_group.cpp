// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/ledger_group.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace firstbad::core {
namespace {

constexpr std::uint32_t kNoRow = 0xFFFFFFFFU;

std::vector<LedgerKey> keysOf(const RankLedger& ledger)
{
    std::vector<LedgerKey> keys;
    keys.reserve(ledger.rows());
    for (std::size_t row = 0; row < ledger.rows(); ++row)
        keys.push_back({ledger.step(row), ledger.microStep(row)});
    return keys;
}

bool isStrictlyAscending(const std::vector<LedgerKey>& keys)
{
    return std::adjacent_find(keys.begin(), keys.end(), [](const LedgerKey& a, const LedgerKey& b) {
        return !(a < b);
    }) == keys.end();
}

bool startsAlike(const RankLedger& one, const RankLedger& other)
{
    const std::size_t rows = one.rows();
    const CompactColumn& micro = one.column(LedgerColumn::MicroStep);
    const CompactColumn& otherMicro = other.column(LedgerColumn::MicroStep);
    return one.column(LedgerColumn::Step).startsLike(other.column(LedgerColumn::Step), rows)
        && ((micro.size() == 0 && otherMicro.size() == 0) || micro.startsLike(otherMicro, rows));
}

}  // namespace

LedgerGroup::LedgerGroup(std::vector<RankLedgerPtr> ledgers)
{
    std::stable_sort(
        ledgers.begin(), ledgers.end(), [](const RankLedgerPtr& a, const RankLedgerPtr& b) {
            return a->header.rank < b->header.rank;
        });
    for (RankLedgerPtr& ledger : ledgers) {
        m_worldSize = std::max(m_worldSize, ledger->header.worldSize);
        const bool again = !m_ranks.empty() && m_ranks.back()->header.rank == ledger->header.rank;
        (again ? m_repeated : m_ranks).push_back(std::move(ledger));
    }
    findKeys();
}

void LedgerGroup::findKeys()
{
    const auto longest = std::max_element(m_ranks.begin(), m_ranks.end(),
        [](const RankLedgerPtr& a, const RankLedgerPtr& b) { return a->rows() < b->rows(); });
    m_keys = keysOf(**longest);
    const bool ordered = isStrictlyAscending(m_keys);
    m_rows.resize(m_ranks.size());
    std::vector<std::size_t> odd;
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
        if (!ordered || !startsAlike(*m_ranks[rank], **longest))
            odd.push_back(rank);
    }
    if (odd.empty())
        return;
    const std::size_t before = m_keys.size();
    for (const std::size_t rank : odd) {
        const auto own = keysOf(*m_ranks[rank]);
        m_keys.insert(m_keys.end(), own.begin(), own.end());
    }
    std::sort(m_keys.begin(), m_keys.end());
    m_keys.erase(std::unique(m_keys.begin(), m_keys.end()), m_keys.end());
    const bool shifted = m_keys.size() != before || !ordered;
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
        if (shifted || std::find(odd.begin(), odd.end(), rank) != odd.end())
            mapRank(rank);
    }
}

void LedgerGroup::mapRank(std::size_t rank)
{
    m_rows[rank].assign(m_keys.size(), kNoRow);
    const auto own = keysOf(*m_ranks[rank]);
    for (std::size_t row = 0; row < own.size(); ++row) {
        const auto at = std::lower_bound(m_keys.begin(), m_keys.end(), own[row]);
        std::uint32_t& slot = m_rows[rank][static_cast<std::size_t>(at - m_keys.begin())];
        if (slot == kNoRow)  // a step done twice in one attempt: its first time is joined
            slot = static_cast<std::uint32_t>(row);
    }
}

std::optional<std::size_t> LedgerGroup::rowOf(std::size_t rank, std::size_t key) const noexcept
{
    if (m_rows[rank].empty())
        return key < m_ranks[rank]->rows() ? std::optional(key) : std::nullopt;
    const std::uint32_t row = m_rows[rank][key];
    return row != kNoRow ? std::optional<std::size_t>(row) : std::nullopt;
}

std::pair<std::size_t, std::size_t> LedgerGroup::keysOfStep(std::int64_t step) const noexcept
{
    const auto from = std::lower_bound(m_keys.begin(), m_keys.end(), step,
        [](const LedgerKey& key, std::int64_t wanted) { return key.step < wanted; });
    auto to = from;
    while (to != m_keys.end() && to->step == step)
        ++to;
    return {static_cast<std::size_t>(from - m_keys.begin()),
        static_cast<std::size_t>(to - m_keys.begin())};
}

std::optional<std::int64_t> LedgerGroup::firstStep() const noexcept
{
    return m_keys.empty() ? std::nullopt : std::optional(m_keys.front().step);
}

std::optional<std::int64_t> LedgerGroup::lastStep() const noexcept
{
    return m_keys.empty() ? std::nullopt : std::optional(m_keys.back().step);
}

std::optional<std::int64_t> LedgerGroup::lastStepOf(const RankLedger& ledger) noexcept
{
    return ledger.rows() == 0 ? std::nullopt : std::optional(ledger.step(ledger.rows() - 1));
}

std::vector<LedgerGroup> groupLedgers(std::span<const RankLedgerPtr> ledgers)
{
    std::map<std::pair<std::string, std::int64_t>, std::vector<RankLedgerPtr>> groups;
    for (const RankLedgerPtr& ledger : ledgers) {
        const bool empty = ledger->rows() == 0 && ledger->bads.empty() && !ledger->end
            && ledger->header.runId.empty();
        if (!empty)
            groups[{ledger->header.runId, ledger->header.attempt}].push_back(ledger);
    }
    std::vector<LedgerGroup> result;
    for (auto& [key, members] : groups)
        result.emplace_back(std::move(members));
    return result;
}

std::string rankRanges(std::span<const std::int32_t> ranks)
{
    std::string text;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        text += text.empty() ? "" : ", ";
        text += last == i ? fmt::format("{}", ranks[i])
                          : fmt::format("{}-{}", ranks[i], ranks[last]);
        i = last + 1;
    }
    return text;
}

}  // namespace firstbad::core
