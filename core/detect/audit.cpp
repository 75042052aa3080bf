// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/audit.h"

#include "core/base/value_kind.h"
#include "core/detect/audit_statements.h"
#include "core/detect/finding_text.h"
#include "core/detect/scale_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

std::optional<std::int64_t> lastCount(const AttemptView& attempt, std::string_view name)
{
    const Trace* trace = attempt.other(name);
    for (std::size_t i = trace ? trace->size() : 0; i > 0; --i) {
        if (isFinite(trace->value(i - 1)))
            return std::llround(trace->value(i - 1));
    }
    return std::nullopt;
}

/// Skips whose steps overlap are one stretch: the lines of one interval tell only its bounds.
std::vector<StepRun> stretchesOf(const AttemptView& attempt)
{
    std::vector<StepRun> stretches;
    for (const SkippedUpdates& skip : attempt.skips.skips()) {
        if (!stretches.empty() && skip.from <= stretches.back().to) {
            StepRun& last = stretches.back();
            last.from = std::min(last.from, skip.from);
            last.to = std::max(last.to, skip.to);
            last.length += skip.count;
        } else {
            stretches.push_back({skip.from, skip.to, skip.count});
        }
    }
    return stretches;
}

bool isFull(const StepRun& run)
{
    return run.length >= run.to - run.from + 1;
}

void addSkips(Audit& audit, const AttemptView& attempt)
{
    audit.skippedTotal = audit.skippedTotal.value_or(0) + attempt.skips.total();
    const std::size_t own = audit.skippedRuns.size();
    for (const StepRun& stretch : stretchesOf(attempt)) {
        StepRun* last = audit.skippedRuns.size() > own ? &audit.skippedRuns.back() : nullptr;
        // Counts over windows that touch: together they fill every step, so they are one stretch.
        const bool joins = last && stretch.from <= last->to + 1
            && isFull({last->from, std::max(last->to, stretch.to), last->length + stretch.length});
        if (joins) {
            last->to = std::max(last->to, stretch.to);
            last->length += stretch.length;
        } else {
            audit.skippedRuns.push_back(stretch);
        }
    }
}

void addClocks(Audit& audit, const AttemptView& attempt)
{
    if (attempt.last)
        audit.iterations = std::max(audit.iterations.value_or(*attempt.last), *attempt.last);
    if (const auto updates = lastCount(attempt, "optimizer_steps"))
        audit.updates = updates;
    if (const auto schedule = lastCount(attempt, "schedule_steps"))
        audit.scheduleSteps = schedule;
    for (const Trace& trace : attempt.others) {
        const Quantity quantity = trace.series().quantity;
        const auto count = trace.size() > 0 && isFinite(trace.value(trace.size() - 1))
            ? std::optional(std::llround(trace.value(trace.size() - 1)))
            : std::nullopt;
        if (quantity == Quantity::Samples && count)
            audit.samples = *count;
        if (quantity == Quantity::Tokens && count)
            audit.tokens = *count;
    }
}

void addSchedule(Audit& audit, const AttemptView& attempt)
{
    const Trace* updates = attempt.other("optimizer_steps");
    const Trace* schedule = attempt.other("schedule_steps");
    if (!updates || !schedule || updates->size() == 0 || schedule->size() == 0)
        return;
    audit.scheduleUnit = "optimizer steps";
    const double start = schedule->value(0) - updates->value(0);
    for (std::size_t i = 0; i < std::min(updates->size(), schedule->size()); ++i) {
        const double drift = schedule->value(i) - updates->value(i);
        if (!isFinite(drift))
            continue;
        const bool fresh = !audit.scheduleDrift || *audit.scheduleDrift == 0;
        audit.scheduleDrift = std::llround(drift);
        if (drift != start && fresh && *audit.scheduleDrift != 0) {
            addStatement(audit, drift > 0 ? "schedule-ahead" : "schedule-behind", Severity::Warning,
                fmt::format("schedule and optimizer disagree from step {} on: {} against {}",
                    updates->step(i), shown(schedule->value(i)), shown(updates->value(i))),
                {updates->step(i)});
        }
    }
}

void addScale(Audit& audit, const RunView& run, const AttemptView& attempt)
{
    const Trace* scale = attempt.scales.empty() ? nullptr : &attempt.scales.front();
    const ScaleVerdict verdict
        = checkScale(scale, attempt.skips, run.run->traits.dialect, run.run->traits.scaleIsRounded);
    if (verdict.best == "none" || (audit.scalePolicy != "none" && !audit.scaleConsistent))
        return;
    audit.scalePolicy = verdict.best;
    audit.scaleAlignment = verdict.alignment;
    audit.scaleConsistent = verdict.consistent;
    audit.firstViolation = verdict.violation;
    if (verdict.violation)
        addStatement(audit, "scale-unexplained", Severity::Warning,
            fmt::format("the scale is {} at step {}; {} would show {}",
                shown(verdict.violation->seen), verdict.violation->step, verdict.best,
                shown(verdict.violation->expected)),
            {verdict.violation->step});
}

void addMasked(Audit& audit, const RunView& run, const AttemptView& attempt)
{
    for (const Trace& norm : attempt.norms) {
        if (norm.masked() == 0)
            continue;
        const auto why = fmt::format(
            "{} negative value(s) stand for a norm that was not finite", norm.masked());
        audit.masked.push_back({norm.series().name, why});
        addStatement(audit, "masked-value", Severity::Warning,
            fmt::format("{}: {}", norm.series().name, why));
    }
    for (const Trace& mean : attempt.runningMeans) {
        const auto bad = std::find_if(mean.values().begin(), mean.values().end(),
            [](double value) { return !isFinite(value); });
        if (bad == mean.values().end())
            continue;
        const auto at = static_cast<std::size_t>(bad - mean.values().begin());
        addStatement(audit, "running-average-poisoned", Severity::Warning,
            fmt::format(
                "{} keeps a non-finite value from step {} on", mean.series().name, mean.step(at)),
            {mean.step(at)});
    }
    if (run.run->traits.lossFieldDropsNonfinite) {
        for (const Trace& loss : attempt.losses) {
            if (!loss.column().missingSteps.empty())
                audit.masked.push_back({loss.series().name,
                    fmt::format("the field is missing in {} line(s): NaN, or all updates skipped",
                        loss.column().missingSteps.size())});
        }
    }
}

/// Loss exactly 0, or a pleasant mean, beside a norm that is not finite.
void addFiltered(Audit& audit, const AttemptView& attempt)
{
    for (const Trace& loss : attempt.losses) {
        const Trace* norm = AttemptView::ofRank(attempt.norms, loss.rank());
        if (!norm)
            continue;
        for (std::size_t i = 0; i < norm->size(); ++i) {
            const std::size_t at = loss.lowerBound(norm->step(i));
            if (isFinite(norm->value(i)) || at >= loss.size() || loss.step(at) != norm->step(i)
                || loss.value(at) != 0.0)
                continue;
            audit.masked.push_back(
                {loss.series().name, "0 beside a gradient norm that is not finite"});
            addStatement(audit, "filtered-loss", Severity::Error,
                fmt::format("{} is shown as 0 while {} is {}", loss.series().name,
                    norm->series().name, shown(norm->value(i))),
                {norm->step(i)});
            break;
        }
    }
}

/// What only the ledgers of all ranks and attempts can tell; the rest of the audit knows the
/// others.
void addLedgerStatements(Audit& audit, const RunView& run)
{
    constexpr std::array<std::string_view, 2> kCodes{"stale-gradient", "rank-only"};
    for (const LedgerReport& report : run.ledgers) {
        for (const LedgerStatement& one : report.statements) {
            if (std::find(kCodes.begin(), kCodes.end(), one.code) != kCodes.end())
                addStatement(audit, one.code, one.severity, one.text, one.steps);
        }
    }
}

}  // namespace

Audit auditRun(const RunView& run, const std::vector<Finding>& findings, const Settings& settings,
    JobContext& job)
{
    Audit audit;
    audit.run = run.run->id.value;
    for (const AttemptView& attempt : run.attempts) {
        if (job.cancelled())
            return audit;
        addClocks(audit, attempt);
        addSkips(audit, attempt);
        addSchedule(audit, attempt);
        addScale(audit, run, attempt);
        addMasked(audit, run, attempt);
        addFiltered(audit, attempt);
        stateUpdates(audit, attempt, settings);
        stateLogOrder(audit, attempt);
    }
    stateSkips(audit, run, settings);
    stateSeams(audit, run);
    stateFindings(audit, findings);
    addLedgerStatements(audit, run);
    return audit;
}

}  // namespace firstbad::core
