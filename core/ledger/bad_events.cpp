// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/bad_events.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/ledger/origin.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

namespace firstbad::core {
namespace {

constexpr std::size_t kNoProbe = 5;  // skips close together from which a search is no probe
constexpr std::int64_t kClose = 5;  // good steps between skips that still belong together
constexpr std::int64_t kStart = 10;  // steps of an attempt in which the scaler looks for its range

/// What is known of one step, over all ranks.
struct Tally {
    BadEvent event;
    std::size_t lastFlagged = SIZE_MAX;  // rank counted last: a step has several micro-steps
    std::size_t lastSkipped = SIZE_MAX;
    bool isBad = false;  // a value that is not finite, or a rank that says so
    bool beyondScaler = false;  // in the input, forward, loss, optimizer or weights
    bool wasStopped = false;
    bool isUnknown = false;  // some rank does not say whether it is bad itself
};

bool beyondScaler(std::size_t stage)
{
    return stage < *stageOrder("backward") || stage > *stageOrder("clip");
}

class Tallies
{
public:
    explicit Tallies(const LedgerGroup& group)
        : m_group(group)
    {
        for (std::size_t rank = 0; rank < group.ranks().size(); ++rank)
            addRank(rank);
    }

    std::vector<Tally> take()
    {
        std::sort(m_tallies.begin(), m_tallies.end(),
            [](const Tally& a, const Tally& b) { return a.event.step < b.event.step; });
        return std::move(m_tallies);
    }

private:
    Tally& of(std::int64_t step)
    {
        const auto [at, fresh] = m_index.try_emplace(step, m_tallies.size());
        if (fresh) {
            m_tallies.emplace_back();
            m_tallies.back().event.step = step;
        }
        return m_tallies[at->second];
    }

    void addRank(std::size_t rank)
    {
        const RankLedger& ledger = *m_group.ranks()[rank];
        for (const std::uint32_t row : ledger.marked)
            addRow(rank, ledger, row);
        for (const LedgerBad& bad : ledger.bads) {
            Tally& tally = of(bad.step);
            flag(tally, rank);
            tally.isBad = true;
            if (const auto stage = stageOrder(bad.stage))
                tally.beyondScaler = tally.beyondScaler || beyondScaler(*stage);
        }
        for (const LedgerDecision& decision : ledger.decisions) {
            const auto found = m_index.find(decision.step);
            const bool stops = decision.action == "stop" || decision.action == "rollback";
            if (found != m_index.end() && stops)
                m_tallies[found->second].wasStopped = true;
        }
    }

    void addRow(std::size_t rank, const RankLedger& ledger, std::size_t row)
    {
        Tally& tally = of(ledger.step(row));
        const auto isSet
            = [&](LedgerColumn field) { return ledger.value(field, row).value_or(0.0) != 0.0; };
        const auto isBad = [&](LedgerColumn field) {
            const auto value = ledger.value(field, row);
            return value && !isFinite(*value);
        };
        flag(tally, rank);
        if (isSet(LedgerColumn::SkippedStep) && tally.lastSkipped != rank) {
            tally.lastSkipped = rank;
            ++tally.event.skipped;
        }
        const auto stage = ledger.value(LedgerColumn::Stage, row);
        tally.isBad = tally.isBad || stage || isSet(LedgerColumn::LocalBad)
            || isBad(LedgerColumn::Loss) || isBad(LedgerColumn::TotalGradNorm);
        tally.beyondScaler = tally.beyondScaler || isBad(LedgerColumn::Loss)
            || (stage && beyondScaler(static_cast<std::size_t>(std::llround(*stage))));
        tally.isUnknown = tally.isUnknown || !ledger.value(LedgerColumn::LocalBad, row)
            || !ledger.value(LedgerColumn::TotalGradNorm, row);
    }

    static void flag(Tally& tally, std::size_t rank)
    {
        if (tally.lastFlagged == rank)
            return;
        tally.lastFlagged = rank;
        ++tally.event.flagged;
    }

    const LedgerGroup& m_group;
    std::vector<Tally> m_tallies;
    std::unordered_map<std::int64_t, std::size_t> m_index;
};

std::size_t ranksAt(const LedgerGroup& group, std::int64_t step)
{
    const auto [from, to] = group.keysOfStep(step);
    std::size_t count = 0;
    for (std::size_t rank = 0; rank < group.ranks().size(); ++rank) {
        bool has = false;
        for (std::size_t key = from; key < to && !has; ++key)
            has = group.rowOf(rank, key).has_value();
        count += has ? 1U : 0U;
    }
    return count;
}

bool hasDynamicScaler(const LedgerGroup& group)
{
    const std::string& name = group.ranks().front()->header.scalePolicy;
    return !name.empty() && !containsIgnoringCase(name, "static")
        && !containsIgnoringCase(name, "constant");
}

/// Benign needs positive evidence: a scaler that searches, skips of all ranks, clean steps after.
void judgeCluster(
    const LedgerGroup& group, std::vector<Tally>& tallies, std::size_t from, std::size_t to)
{
    const bool recovered = group.lastStep() && tallies[to - 1].event.step < *group.lastStep();
    const bool atStart
        = group.firstStep() && tallies[from].event.step - *group.firstStep() < kStart;
    const bool few = to - from < kNoProbe || atStart;
    const bool scaler = hasDynamicScaler(group) && recovered && few;
    for (std::size_t i = from; i < to; ++i) {
        Tally& tally = tallies[i];
        const bool handled = !tally.beyondScaler && !tally.wasStopped
            && tally.event.skipped == ranksAt(group, tally.event.step);
        if (!tally.isBad && !tally.isUnknown && !tally.wasStopped)
            tally.event.verdict = BadClass::FlagOnly;
        else if (scaler && handled)
            tally.event.verdict = BadClass::Probe;
    }
}

std::vector<BadEvent> judged(const LedgerGroup& group)
{
    std::vector<Tally> tallies = Tallies(group).take();
    std::vector<BadEvent> events;
    for (std::size_t from = 0; from < tallies.size();) {
        std::size_t to = from + 1;
        while (to < tallies.size()
            && tallies[to].event.step - tallies[to - 1].event.step <= kClose + 1)
            ++to;
        judgeCluster(group, tallies, from, to);
        from = to;
    }
    for (const Tally& tally : tallies)
        events.push_back(tally.event);
    return events;
}

}  // namespace

std::optional<std::int64_t> FirstBad::block() const
{
    return evidence ? blockInModule(evidence->module) : std::nullopt;
}

std::string FirstBad::lane() const
{
    return laneOfStage(stage);
}

std::optional<std::int64_t> blockInModule(const std::string& module)
{
    for (std::size_t at = 0; at < module.size();) {
        const std::size_t dot = std::min(module.find('.', at), module.size());
        if (const auto number = parseInteger(std::string_view(module).substr(at, dot - at)))
            return number;
        at = dot + 1;
    }
    return containsIgnoringCase(module, "embed") ? std::optional<std::int64_t>(-1) : std::nullopt;
}

BadEvents badEventsOf(const LedgerGroup& group)
{
    BadEvents found;
    found.events = judged(group);
    auto chosen = std::find_if(found.events.begin(), found.events.end(),
        [](const BadEvent& event) { return event.verdict == BadClass::Fault; });
    if (chosen == found.events.end())
        chosen = std::find_if(found.events.begin(), found.events.end(),
            [](const BadEvent& event) { return event.verdict == BadClass::Probe; });
    if (chosen != found.events.end())
        findOrigin(group, *chosen, found);
    return found;
}

}  // namespace firstbad::core
