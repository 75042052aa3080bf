// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/hang.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace firstbad::core {
namespace {

bool raised(const RankLedger& ledger)
{
    return ledger.end && ledger.end->how == "exception";
}

bool finished(const RankLedger& ledger)
{
    return ledger.end && ledger.end->how == "finished";
}

/// A watchdog that gave up waiting raises too, but is no cause.
bool waitedItself(const RankLedger& ledger)
{
    const std::string& said = ledger.end ? ledger.end->message : ledger.path;
    return ledger.end
        && (containsIgnoringCase(said, "timeout") || containsIgnoringCase(said, "timed out")
            || containsIgnoringCase(said, "watchdog"));
}

auto placeOf(const LedgerWait& wait)
{
    return std::tuple(wait.step, wait.seq);
}

/// By the wait lines: who came to the last collective and who did not.
std::optional<Hang> byWaits(const LedgerGroup& group)
{
    const LedgerWait* latest = nullptr;
    for (const RankLedgerPtr& ledger : group.ranks()) {
        const bool waits = ledger->wait && ledger->wait->isLast && !finished(*ledger);
        if (waits && (latest == nullptr || placeOf(*latest) < placeOf(*ledger->wait)))
            latest = &*ledger->wait;
    }
    if (latest == nullptr)
        return std::nullopt;
    Hang hang;
    hang.step = latest->step;
    hang.op = latest->op;
    bool ended = false;
    for (const RankLedgerPtr& ledger : group.ranks()) {
        const bool isThere = ledger->wait && placeOf(*ledger->wait) >= placeOf(*latest);
        ended = ended || ledger->end.has_value();
        if (isThere && ledger->wait->isLast && !finished(*ledger))
            hang.waiting.push_back(ledger->header.rank);
        else if (!isThere)
            hang.stopped.push_back(ledger->header.rank);
    }
    // Without an end line everybody may just have arrived: a ledger that is still written.
    if (hang.stopped.empty() && !ended)
        return std::nullopt;
    hang.because = hang.stopped.empty()
        ? "all of them are in the same collective"
        : fmt::format("{} never came to it", rankRanges(hang.stopped));
    return hang;
}

/// By the end lines: some raised, the others were ended while they waited.
std::optional<Hang> byEnds(const LedgerGroup& group)
{
    Hang hang;
    std::optional<std::int64_t> step;
    for (const RankLedgerPtr& ledger : group.ranks()) {
        if (raised(*ledger) && !waitedItself(*ledger)) {
            hang.stopped.push_back(ledger->header.rank);
            const auto last = LedgerGroup::lastStepOf(*ledger);
            step = last ? std::max(step.value_or(*last), *last) : step;
            hang.because = ledger->end->message;
        } else if (!finished(*ledger)) {
            hang.waiting.push_back(ledger->header.rank);
        }
    }
    const bool somebodyWaited
        = std::any_of(group.ranks().begin(), group.ranks().end(), [](const RankLedgerPtr& ledger) {
              return ledger->end && (ledger->end->how == "signal" || waitedItself(*ledger));
          });
    if (hang.stopped.empty() || hang.waiting.empty() || !somebodyWaited)
        return std::nullopt;
    hang.step = step.value_or(group.lastStep().value_or(0));
    return hang;
}

}  // namespace

std::vector<MissingRank> missingRanks(const LedgerGroup& group)
{
    std::vector<MissingRank> missing;
    const std::int64_t firstStep = group.firstStep().value_or(0);
    std::size_t at = 0;
    for (std::int32_t rank = 0; rank < group.worldSize() && missing.size() < kMaxMissing; ++rank) {
        while (at < group.ranks().size() && group.ranks()[at]->header.rank < rank)
            ++at;
        const bool has = at < group.ranks().size() && group.ranks()[at]->header.rank == rank;
        if (!has) {
            missing.push_back({rank, firstStep, false});
            continue;
        }
        const auto last = LedgerGroup::lastStepOf(*group.ranks()[at]);
        if (!last || *last < group.lastStep().value_or(firstStep))
            missing.push_back({rank, last ? *last + 1 : firstStep, true});
    }
    return missing;
}

std::optional<Hang> findHang(const LedgerGroup& group)
{
    if (group.ranks().size() < 2)
        return std::nullopt;
    if (auto hang = byWaits(group))
        return hang;
    return byEnds(group);
}

}  // namespace firstbad::core
