// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/ledger_report.h"

#include "core/ledger/ledger_data.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace firstbad::core {
namespace {

using Statements = std::vector<LedgerStatement>;

/// Flags without any bad value: they were combined in a way that can itself overflow.
void stateFlagsOnly(const LedgerAttempt& attempt, Statements& statements)
{
    LedgerStatement one{
        "flag-without-value", Severity::Warning, {}, attempt.group.attempt(), {}, {}};
    for (const BadEvent& event : attempt.bad.events) {
        if (event.verdict == BadClass::FlagOnly)
            one.steps.push_back(event.step);
    }
    if (one.steps.empty())
        return;
    one.text = fmt::format("at step {} the update was flagged although every loss and norm is "
                           "finite and no rank names a bad value",
        one.steps.front());
    for (const RankLedgerPtr& ledger : attempt.group.ranks()) {
        const auto reason = std::find_if(ledger->decisions.begin(), ledger->decisions.end(),
            [&](const LedgerDecision& decision) {
                return decision.step == one.steps.front() && !decision.reason.empty();
            });
        if (reason != ledger->decisions.end()) {
            one.text += fmt::format(" (\"{}\")", reason->reason);
            break;
        }
    }
    one.text += "; flags have to be combined by maximum or logical or, never by a sum of values";
    statements.push_back(std::move(one));
}

void statePartialSkips(const LedgerAttempt& attempt, Statements& statements)
{
    std::set<std::int64_t> steps;
    LedgerStatement one{"partial-skip", Severity::Error, {}, attempt.group.attempt(), {}, {}};
    for (const RankLedgerPtr& ledger : attempt.group.ranks()) {
        steps.insert(ledger->partialSkips.begin(), ledger->partialSkips.end());
        if (!ledger->partialSkips.empty())
            one.ranks.push_back(ledger->header.rank);
    }
    if (steps.empty())
        return;
    one.steps.assign(steps.begin(), steps.end());
    one.text = fmt::format("at step {} some optimizers of one rank made their update and others "
                           "skipped it: parts of the model are now an update apart",
        one.steps.front());
    statements.push_back(std::move(one));
}

/// More micro-steps in the buffer than the update has: the rest is of an update that was skipped.
void stateAccumulation(const LedgerAttempt& attempt, Statements& statements)
{
    LedgerStatement more{"stale-gradient", Severity::Error, {}, attempt.group.attempt(), {}, {}};
    LedgerStatement fewer{"accumulation", Severity::Warning, {}, attempt.group.attempt(), {}, {}};
    std::string text;
    for (const RankLedgerPtr& ledger : attempt.group.ranks()) {
        const CompactColumn& used = ledger->column(LedgerColumn::AccumUsed);
        for (std::size_t row = 0; row < used.size(); ++row) {
            const auto count = used.at(row);
            const auto expected = ledger->value(LedgerColumn::AccumExpected, row);
            const auto divisor = ledger->value(LedgerColumn::AccumDivisor, row);
            const bool stale = count && expected && *count > *expected;
            const bool odd
                = count && ((expected && *count < *expected) || (divisor && *divisor != *count));
            if (!stale && !odd)
                continue;
            LedgerStatement& one = stale ? more : fewer;
            if (one.ranks.empty())
                one.text = fmt::format(
                    "rank {} accumulated {} micro-steps at step {}; {} were expected, the sum is "
                    "divided by {}",
                    ledger->header.rank, std::llround(*count), ledger->step(row),
                    std::llround(expected.value_or(*count)),
                    std::llround(divisor.value_or(*count)));
            if (one.ranks.empty() || one.ranks.back() != ledger->header.rank)
                one.ranks.push_back(ledger->header.rank);
            if (one.steps.empty() || one.steps.back() < ledger->step(row))
                one.steps.push_back(ledger->step(row));
        }
    }
    for (LedgerStatement* one : {&more, &fewer}) {
        if (!one->ranks.empty())
            statements.push_back(std::move(*one));
    }
}

void stateContradictions(const LedgerAttempt& attempt, Statements& statements)
{
    for (const RankLedgerPtr& ledger : attempt.group.ranks()) {
        for (const LedgerDamage& damage : ledger->damage) {
            if (damage.code == "contradiction")
                statements.push_back({damage.code, Severity::Warning,
                    fmt::format(
                        "rank {}, line {}: {}", ledger->header.rank, damage.line, damage.reason),
                    attempt.group.attempt(), {}, {ledger->header.rank}});
        }
    }
    for (const RankLedgerPtr& ledger : attempt.group.repeated())
        statements.push_back({"rank-repeated", Severity::Warning,
            fmt::format("{} is a second ledger of rank {} in attempt {}; it was not joined",
                ledger->path, ledger->header.rank, ledger->header.attempt),
            attempt.group.attempt(), {}, {ledger->header.rank}});
}

void stateMissing(const LedgerAttempt& attempt, Statements& statements)
{
    LedgerStatement one{"rank-only", Severity::Warning, {}, attempt.group.attempt(), {}, {}};
    for (const MissingRank& missing : attempt.missing) {
        if (!missing.hasLedger)
            one.ranks.push_back(missing.rank);
    }
    if (one.ranks.empty())
        return;
    one.text = fmt::format("{} of {} ranks have no ledger here ({}): what began on them can not be "
                           "seen",
        one.ranks.size(), attempt.group.worldSize(), rankRanges(one.ranks));
    if (one.text.size() > 200)
        one.text
            = fmt::format("{} of {} ranks have no ledger here: what began on them can not be seen",
                one.ranks.size(), attempt.group.worldSize());
    statements.push_back(std::move(one));
}

Result<LedgerAttempt> reportAttempt(LedgerGroup group, JobContext& job)
{
    LedgerAttempt attempt{std::move(group), {}, {}, {}, {}};
    attempt.bad = badEventsOf(attempt.group);
    attempt.disagreements = disagreementsOf(attempt.group, job);
    attempt.missing = missingRanks(attempt.group);
    attempt.hang = findHang(attempt.group);
    if (job.cancelled())
        return JobContext::cancelledError();
    return attempt;
}

}  // namespace

const LedgerAttempt* LedgerReport::firstBadAttempt() const noexcept
{
    const LedgerAttempt* probe = nullptr;
    for (const LedgerAttempt& attempt : attempts) {
        if (attempt.bad.first && !attempt.bad.first->isProbe)
            return &attempt;
        if (attempt.bad.first && probe == nullptr)
            probe = &attempt;
    }
    return probe;
}

bool LedgerReport::holdsFault() const noexcept
{
    const bool stated = std::any_of(statements.begin(), statements.end(),
        [](const LedgerStatement& one) { return one.severity == Severity::Error; });
    return stated || acrossAttempts.total > 0
        || std::any_of(attempts.begin(), attempts.end(), [](const LedgerAttempt& attempt) {
               return attempt.disagreements.total > 0 || attempt.hang
                   || (attempt.bad.first && !attempt.bad.first->isProbe);
           });
}

Result<std::vector<LedgerReport>> reportLedgers(
    std::span<const RankLedgerPtr> ledgers, JobContext& job)
{
    std::vector<LedgerReport> reports;
    for (LedgerGroup& group : groupLedgers(ledgers)) {
        if (reports.empty() || reports.back().run != group.run())
            reports.push_back({group.run(), {}, {}, {}});
        auto attempt = reportAttempt(std::move(group), job);
        if (!attempt)
            return tl::unexpected(std::move(attempt.error()));
        LedgerReport& report = reports.back();
        stateContradictions(*attempt, report.statements);
        stateMissing(*attempt, report.statements);
        stateFlagsOnly(*attempt, report.statements);
        statePartialSkips(*attempt, report.statements);
        stateAccumulation(*attempt, report.statements);
        if (!report.attempts.empty())
            compareAttempts(report.attempts.back().group, attempt->group, report.acrossAttempts,
                report.statements);
        report.attempts.push_back(std::move(*attempt));
    }
    return reports;
}

}  // namespace firstbad::core
