// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/text/dialect_choice.h"

#include <algorithm>
#include <functional>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kHitsEnough = 400;
constexpr std::uint64_t kBytesEnough = 8U << 20U;  // preambles hold whole programs
constexpr std::uint64_t kBytesWithHits = 1U << 20U;
constexpr int kFrameworkScore = 40;  // a line scores this only in a framework's own dialect

}  // namespace

DialectScores::DialectScores()
    : m_sums(dialectTable().size())
{ }

void DialectScores::add(const TextLine& line)
{
    ++m_lines;
    m_bytes += line.raw.size() + 1;
    int highest = 0;
    const auto table = dialectTable();
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i].role != DialectRole::Primary || (table[i].onlyBars && !line.barOnly))
            continue;
        const int score = table[i].score(line.text);
        m_sums[i] += static_cast<std::uint64_t>(std::max(score, 0));
        highest = std::max(highest, score);
    }
    if (highest <= 0)
        return;
    ++m_hits;
    if (!line.rank)
        return;
    ++m_ranked;
    m_ranks.insert(*line.rank);
    const auto [at, isNew]
        = m_firstRank.try_emplace(std::hash<std::string_view>()(line.text), *line.rank);
    if (!isNew && at->second != *line.rank)
        ++m_repeatedByOthers;
}

bool DialectScores::decided() const noexcept
{
    return m_hits >= kHitsEnough || m_bytes >= kBytesEnough
        || (m_hits > 0 && m_bytes >= kBytesWithHits);
}

const LineDialect* DialectScores::best() const noexcept
{
    const auto highest = std::max_element(m_sums.begin(), m_sums.end());
    if (highest == m_sums.end() || *highest == 0)
        return nullptr;
    return &dialectTable()[static_cast<std::size_t>(highest - m_sums.begin())];
}

bool DialectScores::isCertain() const noexcept
{
    const auto highest = std::max_element(m_sums.begin(), m_sums.end());
    return highest != m_sums.end() && *highest >= 2 * kFrameworkScore
        && *highest >= kFrameworkScore * m_hits / 2;
}

bool DialectScores::ranksDiffer() const noexcept
{
    // All ranks print the same numbers: every record comes once per rank.
    return severalRanks() && m_repeatedByOthers * 2 < m_ranked / m_ranks.size();
}

}  // namespace firstbad::core
