// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/disagreement.h"

#include "core/base/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>

namespace firstbad::core {
namespace {

// Ranks may add up the squares of one norm in different orders; a real difference is larger.
constexpr double kNormTolerance = 1e-6;

bool isSame(LedgerColumn field, double a, double b)
{
    if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b))
        return true;
    if (!isFinite(a) || !isFinite(b))
        return classify(a) == classify(b);
    const double size = std::max(std::abs(a), std::abs(b));
    return within(a, b, field == LedgerColumn::TotalGradNorm ? kNormTolerance * size : 0.0);
}

bool isFlag(LedgerColumn field)
{
    return field == LedgerColumn::SkippedStep || field == LedgerColumn::GlobalBad;
}

class Comparison
{
public:
    Comparison(const LedgerGroup& group, LedgerColumn field)
        : m_group(group)
        , m_field(field)
    { }

    /// Indices of keys at which not all ranks say the same.
    std::vector<std::size_t> differingKeys(JobContext& job) const
    {
        const auto& ranks = m_group.ranks();
        const std::size_t base = referenceRank();
        std::vector<bool> differs(m_group.keys().size());
        for (std::size_t rank = base + 1; rank < ranks.size() && !job.cancelled(); ++rank) {
            if (!isSameColumn(base, rank))
                compare(base, rank, differs);
        }
        std::vector<std::size_t> keys;
        for (std::size_t key = 0; key < differs.size(); ++key) {
            if (differs[key])
                keys.push_back(key);
        }
        return keys;
    }

    Disagreement at(std::size_t key) const
    {
        Disagreement found;
        found.step = m_group.keys()[key].step;
        found.microStep = m_group.keys()[key].microStep;
        found.field = toString(m_field);
        for (std::size_t rank = 0; rank < m_group.ranks().size(); ++rank) {
            const auto said = value(rank, key);
            if (!said)
                continue;
            const auto same = std::find_if(found.values.begin(), found.values.end(),
                [&](const DisagreeingValue& one) { return isSame(m_field, *one.number, *said); });
            DisagreeingValue& group
                = same != found.values.end() ? *same : found.values.emplace_back();
            group.number = group.number.value_or(*said);
            group.isFlag = isFlag(m_field);
            group.ranks.push_back(m_group.ranks()[rank]->header.rank);
        }
        finish(found);
        return found;
    }

private:
    void finish(Disagreement& found) const
    {
        std::stable_sort(found.values.begin(), found.values.end(),
            [](const DisagreeingValue& a, const DisagreeingValue& b) {
                return a.ranks.size() > b.ranks.size();
            });
        if (m_field != LedgerColumn::Action)
            return;
        for (DisagreeingValue& one : found.values) {
            one.text = kLedgerActions[static_cast<std::size_t>(std::llround(*one.number))
                % kLedgerActions.size()];
            one.number.reset();
        }
    }

    std::optional<double> value(std::size_t rank, std::size_t key) const
    {
        const auto row = m_group.rowOf(rank, key);
        return row ? m_group.ranks()[rank]->value(m_field, *row) : std::nullopt;
    }

    /// The first rank that says anything about the field.
    std::size_t referenceRank() const
    {
        const auto& ranks = m_group.ranks();
        std::size_t rank = 0;
        while (rank + 1 < ranks.size() && ranks[rank]->column(m_field).size() == 0)
            ++rank;
        return rank;
    }

    bool isSameColumn(std::size_t base, std::size_t rank) const
    {
        const CompactColumn& one = m_group.ranks()[base]->column(m_field);
        const CompactColumn& other = m_group.ranks()[rank]->column(m_field);
        if (one.size() == 0 || other.size() == 0)
            return true;
        return m_group.isAligned(base) && m_group.isAligned(rank)
            && one.startsLike(other, std::min(one.size(), other.size()));
    }

    void compare(std::size_t base, std::size_t rank, std::vector<bool>& differs) const
    {
        for (std::size_t key = 0; key < differs.size(); ++key) {
            if (differs[key])
                continue;
            const auto a = value(base, key);
            const auto b = value(rank, key);
            differs[key] = a && b && !isSame(m_field, *a, *b);
        }
    }

    const LedgerGroup& m_group;
    LedgerColumn m_field;
};

/// What the headers say: another configuration or data version on one rank.
void compareHeaders(const LedgerGroup& group, Disagreements& found)
{
    std::map<std::string, Disagreement> byName;
    for (const RankLedgerPtr& ledger : group.ranks()) {
        for (const auto& [name, said] : ledger->header.identity) {
            Disagreement& one = byName[name];
            const auto same = std::find_if(one.values.begin(), one.values.end(),
                [&, &text = said](const DisagreeingValue& value) { return value.text == text; });
            DisagreeingValue& value = same != one.values.end() ? *same : one.values.emplace_back();
            value.text = said;
            value.ranks.push_back(ledger->header.rank);
        }
    }
    for (auto& [name, one] : byName) {
        if (one.values.size() < 2)
            continue;
        one.step = group.firstStep().value_or(0);
        one.field = "header." + name;
        found.list.push_back(std::move(one));
        ++found.total;
    }
}

}  // namespace

Disagreements disagreementsOf(const LedgerGroup& group, JobContext& job)
{
    Disagreements found;
    compareHeaders(group, found);
    std::vector<std::pair<std::size_t, LedgerColumn>> places;
    for (auto c = static_cast<std::size_t>(kFirstShared); c < kLedgerColumns; ++c) {
        const auto field = static_cast<LedgerColumn>(c);
        for (const std::size_t key : Comparison(group, field).differingKeys(job))
            places.emplace_back(key, field);
    }
    std::sort(places.begin(), places.end());
    found.total += places.size();
    for (const auto& [key, field] : places) {
        if (found.list.size() >= kMaxDisagreements || job.cancelled())
            break;
        found.list.push_back(Comparison(group, field).at(key));
    }
    return found;
}

}  // namespace firstbad::core
