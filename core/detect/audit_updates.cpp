// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/value_kind.h"
#include "core/detect/audit_statements.h"
#include "core/detect/finding_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kLeastUpdates = 20;

/// Skipped updates known in the steps (after, upTo].
std::int64_t knownSkips(const AttemptView& attempt, std::int64_t after, std::int64_t upTo)
{
    std::int64_t known = 0;
    for (const SkippedUpdates& skip : attempt.skips.skips()) {
        if (skip.to > after && skip.from <= upTo)
            known += std::min(skip.count, upTo - after);
    }
    return known;
}

bool falls(const Trace& scale, std::int64_t from, std::int64_t to)
{
    const auto before = scale.valueUpTo(from);
    const auto after = scale.valueUpTo(to);
    return before && after && isFinite(*before) && isFinite(*after) && *after < *before;
}

/// In these steps, or at the next record where the scale is logged before the update.
bool scaleFell(const AttemptView& attempt, std::int64_t from, std::int64_t to)
{
    return std::any_of(attempt.scales.begin(), attempt.scales.end(), [&](const Trace& scale) {
        return falls(scale, from, to) || falls(scale, to, to + scale.interval());
    });
}

struct Missing {
    std::int64_t count = 0;
    std::vector<std::int64_t> steps;
};

void add(Missing& missing, std::int64_t count, std::int64_t step)
{
    missing.count += count;
    missing.steps.push_back(step);
}

/// Steps in which the counter of updates stood still and nothing says that one was skipped.
void stateMissing(Audit& audit, const AttemptView& attempt)
{
    const Trace* updates = attempt.other("optimizer_steps");
    if (!updates)
        return;
    Missing silent;
    Missing unexplained;
    std::size_t last = 0;  // last record of the step before
    // The last step is left out: one that was stopped before its decision keeps the old count.
    for (std::size_t i = 1; i < updates->size(); ++i) {
        if (updates->step(i) == updates->step(i - 1))
            continue;
        const std::size_t now = i - 1;  // the count stands in the last record of a step
        const std::int64_t steps = updates->step(now) - updates->step(last);
        const double made = updates->value(now) - updates->value(last);
        if (steps > 0 && isFinite(made)) {
            const std::int64_t count = steps - std::llround(made)
                - knownSkips(attempt, updates->step(last), updates->step(now));
            if (count > 0)
                add(scaleFell(attempt, updates->step(last), updates->step(now)) ? silent
                                                                                : unexplained,
                    count, updates->step(now));
        }
        last = now;
    }
    if (silent.count > 0)
        addStatement(audit, "silent-skip", Severity::Warning,
            fmt::format("{} update(s) were not made and not marked as skipped while the scale "
                        "fell, from step {} on",
                silent.count, silent.steps.front()),
            silent.steps);
    if (unexplained.count > 0)
        addStatement(audit, "update-missing", Severity::Warning,
            fmt::format("{} update(s) were not made and nothing says why, from step {} on",
                unexplained.count, unexplained.steps.front()),
            unexplained.steps);
}

/// A ledger says how many micro-steps an update should and did take in.
void stateAccumulation(Audit& audit, const AttemptView& attempt)
{
    const Trace* expected = attempt.other("accum.expected");
    const Trace* used = attempt.other("accum.used");
    if (!expected || !used)
        return;
    std::vector<std::int64_t> steps;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < std::min(expected->size(), used->size()); ++i) {
        if (isFinite(expected->value(i)) && isFinite(used->value(i))
            && used->value(i) < expected->value(i)) {
            first = first ? first : i;
            steps.push_back(used->step(i));
        }
    }
    if (first)
        addStatement(audit, "update-too-few", Severity::Warning,
            fmt::format("{} update(s) took in fewer micro-steps than planned: {} of {} in step {}",
                steps.size(), shown(used->value(*first)), shown(expected->value(*first)),
                used->step(*first)),
            steps);
}

/// Updates whose gradient is exactly zero change nothing.
void stateEffective(Audit& audit, const AttemptView& attempt, const Settings& settings)
{
    for (const Trace& norm : attempt.norms) {
        std::size_t finite = 0;
        std::vector<std::int64_t> zeros;
        for (std::size_t i = 0; i < norm.size(); ++i) {
            finite += isFinite(norm.value(i)) ? 1U : 0U;
            if (norm.value(i) == 0.0 && !attempt.skips.touching(norm.step(i), norm.step(i)))
                zeros.push_back(norm.step(i));
        }
        if (finite < kLeastUpdates
            || static_cast<double>(zeros.size())
                < settings.get("update.zero_share") * static_cast<double>(finite))
            continue;
        addStatement(audit, "update-too-few", Severity::Warning,
            fmt::format("{} of {} updates have an effect: the others carry no gradient",
                finite - zeros.size(), finite),
            {zeros.front(), zeros.back()});
    }
}

/// The densest window of one attempt.
struct Crowd {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t count = 0;
};

Crowd densest(const AttemptView& attempt, std::int64_t window)
{
    const auto skips = attempt.skips.skips();
    Crowd best;
    std::size_t begin = 0;
    std::int64_t count = 0;
    for (std::size_t end = 0; end < skips.size(); ++end) {
        count += skips[end].count;
        while (skips[end].to - skips[begin].from + 1 > window && begin < end)
            count -= skips[begin++].count;
        if (count > best.count)
            best = {
                skips[begin].from, std::max(skips[end].to, skips[begin].from + window - 1), count};
    }
    return best;
}

}  // namespace

void stateUpdates(Audit& audit, const AttemptView& attempt, const Settings& settings)
{
    stateMissing(audit, attempt);
    stateAccumulation(audit, attempt);
    stateEffective(audit, attempt, settings);
}

void stateSkips(Audit& audit, const RunView& run, const Settings& settings)
{
    for (const StepRun& skipped : audit.skippedRuns) {
        if (skipped.length >= 2)
            addStatement(audit, "skip-run",
                skipped.length >= 5 ? Severity::Warning : Severity::Info,
                fmt::format("{} updates skipped in steps {} to {}", skipped.length, skipped.from,
                    skipped.to),
                {skipped.from, skipped.to});
    }
    const auto window = static_cast<std::int64_t>(settings.get("skip.share_window"));
    for (const AttemptView& attempt : run.attempts) {
        Crowd crowd = densest(attempt, window);
        const auto steps = static_cast<double>(std::max(window, crowd.to - crowd.from + 1));
        const double share = static_cast<double>(crowd.count) / steps;
        crowd.to = std::max(crowd.from, std::min(crowd.to, attempt.last.value_or(crowd.to)));
        if (share >= settings.get("skip.share"))
            addStatement(audit, "skip-share", Severity::Warning,
                fmt::format("{} of {} updates are skipped in steps {} to {}", crowd.count,
                    shown(steps), crowd.from, crowd.to),
                {crowd.from, crowd.to});
    }
}

void stateFindings(Audit& audit, const std::vector<Finding>& findings)
{
    for (const Finding& finding : findings) {
        if (finding.kind == IncidentKind::StaleGradient)
            addStatement(
                audit, "stale-gradient", Severity::Error, finding.title, {finding.onsetStep});
        if (finding.kind == IncidentKind::ScaleRunaway)
            addStatement(
                audit, "scale-runaway", Severity::Error, finding.title, {finding.onsetStep});
    }
}

}  // namespace firstbad::core
