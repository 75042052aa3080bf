// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/ledger_data.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

namespace firstbad::core {
namespace {

constexpr std::size_t kLookedBack = 4096;  // newest steps among which repeated samples are sought

/// Samples of all ranks in one (step, micro-step): the same for any number and order of ranks.
/// Ranks that read the same samples (one replica) count once.
std::optional<std::uint64_t> samplesAt(const LedgerGroup& group, std::size_t key)
{
    std::vector<std::uint64_t> hashes;
    for (std::size_t rank = 0; rank < group.ranks().size(); ++rank) {
        const auto row = group.rowOf(rank, key);
        const auto& own = group.ranks()[rank]->sampleHashes;
        if (!row || *row >= own.size())
            return std::nullopt;  // a rank without samples: the step can not be compared
        if (own[*row] != 0)
            hashes.push_back(own[*row]);
    }
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    std::uint64_t sum = 0;
    for (const std::uint64_t hash : hashes)
        sum += hash;
    return hashes.empty() ? std::nullopt : std::optional(sum);
}

bool namesSamples(const LedgerGroup& group)
{
    return std::all_of(group.ranks().begin(), group.ranks().end(),
        [](const RankLedgerPtr& ledger) { return !ledger->sampleHashes.empty(); });
}

std::optional<std::size_t> keyOf(const LedgerGroup& group, const LedgerKey& key)
{
    const auto at = std::lower_bound(group.keys().begin(), group.keys().end(), key);
    return at != group.keys().end() && *at == key
        ? std::optional(static_cast<std::size_t>(at - group.keys().begin()))
        : std::nullopt;
}

DisagreeingValue samplesSaid(const LedgerGroup& group, std::size_t key)
{
    DisagreeingValue said;
    said.attempt = group.attempt();
    for (const RankLedgerPtr& ledger : group.ranks())
        said.ranks.push_back(ledger->header.rank);
    const auto row = group.rowOf(0, key);
    const std::string* const ids = row ? group.ranks().front()->samplesOf(*row) : nullptr;
    if (ids != nullptr)
        said.text = *ids;
    else
        said.text = fmt::format("hash {:016x}", samplesAt(group, key).value_or(0));
    return said;
}

void compareSamples(const LedgerGroup& earlier, const LedgerGroup& later, Disagreements& found,
    std::vector<LedgerStatement>& statements)
{
    std::vector<std::int64_t> moved;
    std::size_t common = 0;
    for (std::size_t key = 0; key < later.keys().size(); ++key) {
        const auto before = keyOf(earlier, later.keys()[key]);
        const auto now = before ? samplesAt(later, key) : std::nullopt;
        const auto then = now ? samplesAt(earlier, *before) : std::nullopt;
        if (!then)
            continue;
        ++common;
        if (*now == *then)
            continue;
        moved.push_back(later.keys()[key].step);
        ++found.total;
        if (found.list.size() >= kMaxDisagreements)
            continue;
        Disagreement one;
        one.step = later.keys()[key].step;
        one.microStep = later.keys()[key].microStep;
        one.field = "sample_ids";
        one.values.push_back(samplesSaid(earlier, *before));
        one.values.push_back(samplesSaid(later, key));
        found.list.push_back(std::move(one));
    }
    if (moved.empty())
        return;
    constexpr std::size_t kNamed = 100;
    LedgerStatement statement{"data-repeat", Severity::Warning,
        fmt::format("{} of the {} steps that attempts {} and {} both did used other samples in the "
                    "second, from step {} on: data was moved, left out or is seen again",
            moved.size(), common, earlier.attempt(), later.attempt(), moved.front()),
        later.attempt(), std::move(moved), {}};
    statement.steps.resize(std::min(statement.steps.size(), kNamed));
    statements.push_back(std::move(statement));
}

/// The first samples of an attempt that an earlier step of the one before had already used.
void findShift(
    const LedgerGroup& earlier, const LedgerGroup& later, std::vector<LedgerStatement>& statements)
{
    const auto first = samplesAt(later, 0);
    if (!first || keyOf(earlier, later.keys().front()))
        return;  // compared step by step
    const std::size_t keys = earlier.keys().size();
    for (std::size_t key = keys; key > keys - std::min(keys, kLookedBack); --key) {
        if (samplesAt(earlier, key - 1) != first)
            continue;
        const std::int64_t then = earlier.keys()[key - 1].step;
        const std::int64_t now = later.keys().front().step;
        statements.push_back({"data-repeat", Severity::Warning,
            fmt::format("attempt {} begins step {} with the samples that attempt {} used at step "
                        "{}: they are seen again",
                later.attempt(), now, earlier.attempt(), then),
            later.attempt(), {now}, {}});
        return;
    }
}

/// consumed_samples has to go on where the step before the resume left it.
void compareConsumed(
    const LedgerGroup& earlier, const LedgerGroup& later, std::vector<LedgerStatement>& statements)
{
    const std::int64_t now = later.keys().front().step;
    const auto [from, to] = earlier.keysOfStep(now - 1);
    if (from == to || from == 0)
        return;
    const auto consumed = [](const LedgerGroup& group, std::size_t key) {
        const auto row = group.rowOf(0, key);
        return row ? group.ranks().front()->value(LedgerColumn::ConsumedSamples, *row)
                   : std::nullopt;
    };
    const auto before = consumed(earlier, to - 1);
    const auto beforeThat = consumed(earlier, from - 1);
    const auto begun = consumed(later, 0);
    if (!before || !beforeThat || !begun || !isFinite(*before + *beforeThat + *begun))
        return;
    const double missing = *begun - *before - (*before - *beforeThat);
    if (missing == 0.0 || earlier.worldSize() != later.worldSize())
        return;
    statements.push_back({missing > 0 ? "data-gap" : "data-repeat", Severity::Warning,
        fmt::format("consumed_samples goes from {:.0f} (attempt {}, step {}) to {:.0f} (attempt "
                    "{}, step {}): {:.0f} samples {}",
            *before, earlier.attempt(), now - 1, *begun, later.attempt(), now, std::abs(missing),
            missing > 0 ? "were left out" : "are seen again"),
        later.attempt(), {now}, {}});
}

void compareIdentity(
    const LedgerGroup& earlier, const LedgerGroup& later, std::vector<LedgerStatement>& statements)
{
    const auto state = [&](std::string text) {
        statements.push_back({"config-changed", Severity::Warning, std::move(text), later.attempt(),
            {later.firstStep().value_or(0)}, {}});
    };
    const auto& before = earlier.ranks().front()->header.identity;
    for (const auto& [name, said] : later.ranks().front()->header.identity) {
        const auto then = std::find_if(before.begin(), before.end(),
            [&, &wanted = name](const auto& one) { return one.first == wanted; });
        if (then != before.end() && then->second != said)
            state(fmt::format("{} changed from {} (attempt {}) to {} (attempt {}) at step {}", name,
                then->second, earlier.attempt(), said, later.attempt(),
                later.firstStep().value_or(0)));
    }
    if (earlier.worldSize() != later.worldSize())
        state(fmt::format("world_size changed from {} (attempt {}) to {} (attempt {})",
            earlier.worldSize(), earlier.attempt(), later.worldSize(), later.attempt()));
}

}  // namespace

void compareAttempts(const LedgerGroup& earlier, const LedgerGroup& later, Disagreements& found,
    std::vector<LedgerStatement>& statements)
{
    compareIdentity(earlier, later, statements);
    if (earlier.keys().empty() || later.keys().empty())
        return;
    if (namesSamples(earlier) && namesSamples(later)) {
        compareSamples(earlier, later, found, statements);
        findShift(earlier, later, statements);
    }
    compareConsumed(earlier, later, statements);
}

}  // namespace firstbad::core
