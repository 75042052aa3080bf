// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/spike_rule.h"

#include "core/base/text.h"
#include "core/base/value_kind.h"
#include "core/detect/excursion.h"
#include "core/detect/finding_text.h"
#include "core/detect/single_spikes.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Steps from the peak until half of the excess is gone for three points in a row.
std::optional<double> halfLife(const Trace& trace, const Excursion& spike)
{
    const double half = spike.level.median + 0.5 * (trace.value(spike.peak) - spike.level.median);
    std::size_t below = 0;
    for (std::size_t i = spike.peak + 1; i < trace.size(); ++i) {
        below = isFinite(trace.value(i)) && trace.value(i) <= half ? below + 1 : 0;
        if (below == 3)
            return static_cast<double>(trace.step(i - 2) - trace.step(spike.peak));
    }
    return std::nullopt;
}

bool isNorm(const Trace& trace)
{
    return containsIgnoringCase(trace.series().name, "norm")
        && !containsIgnoringCase(trace.series().name, "norm_of");
}

/// Norms of updates or groups that left their level shortly before: the cause lies with them.
void addLeaders(
    const AttemptView& attempt, const Settings& settings, JobContext& job, Finding& finding)
{
    const SpikeLimits limits = limitsFor(Quantity::GradNorm, settings);
    constexpr std::int64_t kLead = 10;  // points
    std::size_t added = 0;
    for (const auto* traces : {&attempt.updateNorms, &attempt.others}) {
        for (const Trace& trace : *traces) {
            if (added >= 4 || (traces == &attempt.others && !isNorm(trace)))
                continue;
            const std::int64_t stride = trace.interval();
            const auto window = static_cast<std::int64_t>(limits.window + kLead);
            const std::size_t from = trace.lowerBound(finding.onsetStep - window * stride);
            const std::size_t to = trace.lowerBound(finding.onsetStep + 2 * stride);
            SpikeLimits lower = limits;
            lower.share = 0.5 * limits.share;
            for (const Excursion& lead : findExcursions(attempt, trace, lower, from, to, job)) {
                const std::int64_t step = trace.step(lead.onset);
                if (lead.kind != ExcursionKind::Strong || step > finding.onsetStep
                    || step < finding.onsetStep - kLead * stride)
                    continue;
                finding.evidence.push_back(trace.evidence(lead.onset,
                    fmt::format("{} leaves its level of {} {} step(s) earlier", trace.series().name,
                        shown(lead.level.median), finding.onsetStep - step)));
                finding.damageFrom = std::min(finding.damageFrom.value_or(step), step);
                ++added;
                break;
            }
        }
    }
}

/// Finite losses at most `count` points before the step, oldest first.
std::vector<double> lossesBefore(const Trace& loss, std::int64_t step, std::size_t count)
{
    std::vector<double> values;
    for (std::size_t i = loss.lowerBound(step); i > 0 && values.size() < count; --i) {
        if (isFinite(loss.value(i - 1)))
            values.push_back(loss.value(i - 1));
    }
    return values;
}

/// A norm spike that the loss follows is a fault, though the loss alone has too little history.
void followWithLoss(const AttemptView& attempt, const Trace& norm, const Excursion& spike,
    const Settings& settings, Finding& finding)
{
    constexpr std::int64_t kFollowPoints = 5;
    constexpr std::size_t kNeeded = 2;
    const Trace* loss = AttemptView::ofRank(attempt.losses, norm.rank());
    if (!loss)
        return;
    auto history
        = lossesBefore(*loss, finding.onsetStep, limitsFor(Quantity::Loss, settings).window);
    if (history.size() < kNeeded)
        return;
    const Level level = levelOf(history);
    const double limit = level.median * (1.0 + settings.get("spike.single_share"));
    std::size_t high = 0;
    const std::int64_t until = norm.step(spike.last) + kFollowPoints * norm.interval();
    for (std::size_t i = loss->lowerBound(finding.onsetStep);
         i < loss->size() && loss->step(i) <= until && level.median > 0.0; ++i) {
        high = isFinite(loss->value(i)) && loss->value(i) > limit ? high + 1 : 0;
        if (high < kNeeded)
            continue;
        finding.verdict = IncidentClass::Fault;
        finding.evidence.push_back(loss->evidence(i,
            fmt::format("the loss follows: {} values in a row above {} (level {})", high,
                shown(limit), shown(level.median))));
        return;
    }
}

Finding report(const AttemptView& attempt, const Trace& trace, const Excursion& spike)
{
    const bool isLoss = trace.series().quantity == Quantity::Loss;
    const double peak = trace.value(spike.peak);
    Finding finding
        = makeFinding("spike", isLoss ? IncidentKind::LossSpike : IncidentKind::GradSpike, attempt,
            trace.step(spike.onset),
            fmt::format("{} leaves its level of {} and peaks at {}", trace.series().name,
                shown(spike.level.median), shown(peak)));
    finding.peakStep = trace.step(spike.peak);
    finding.recovered = spike.recovered;
    if (spike.recovered)
        finding.endStep = trace.step(spike.last);
    finding.halfLifeSteps = halfLife(trace, spike);
    finding.rank = trace.rank();
    finding.confidence = spike.level.count < 16 ? 0.6 : 0.85;
    finding.evidence.push_back(trace.evidence(spike.onset,
        fmt::format("first value above {} (median {}, MAD {} of {} finite values before)",
            shown(spike.limit), shown(spike.level.median), shown(spike.level.mad),
            spike.level.count)));
    if (spike.peak != spike.onset)
        finding.evidence.push_back(trace.evidence(spike.peak,
            fmt::format("peak, {} times the median", shown(peak / spike.level.median))));
    if (spike.recovered)
        finding.against.push_back(trace.evidence(spike.last,
            fmt::format("last value out of the level; back after {} point(s)", spike.outPoints)));
    finding.unknown.push_back({"Did the batch or the state cause it?",
        "replay the step with the same batch, and with another one"});
    // Two values, and every one after them far above: that is no matter of what came before.
    const bool stays = spike.level.count >= 2 && spike.outPoints > 2 && !spike.recovered;
    if (spike.kind == ExcursionKind::Early && !stays) {
        finding.verdict = IncidentClass::Unknown;
        finding.confidence = 0.5;
        finding.unknown.push_back({"What was the level before?",
            "add the log of the steps before: here only one or two values come first"});
    }
    return finding;
}

void evaluateTrace(const AttemptView& attempt, const Trace& trace, const Settings& settings,
    JobContext& job, std::vector<Finding>& findings)
{
    SingleSpikes singles(attempt, trace, settings);
    const SpikeLimits limits = limitsFor(trace.series().quantity, settings);
    for (const Excursion& spike : findExcursions(attempt, trace, limits, job)) {
        if (spike.kind == ExcursionKind::Weak) {
            singles.addWeak(spike);
            continue;
        }
        Finding finding = report(attempt, trace, spike);
        const std::size_t own = finding.evidence.size();
        addLeaders(attempt, settings, job, finding);
        if (trace.series().quantity == Quantity::GradNorm)
            followWithLoss(attempt, trace, spike, settings, finding);
        const bool alone = finding.evidence.size() == own;
        const bool single = alone && spike.kind == ExcursionKind::Strong && spike.outPoints <= 2
            && spike.recovered;
        single ? singles.add(spike, std::move(finding)) : findings.push_back(std::move(finding));
    }
    singles.giveTo(findings);
}

}  // namespace

std::vector<Finding> evaluateSpikes(const RunView& run, const Settings& settings, JobContext& job)
{
    std::vector<Finding> findings;
    for (const AttemptView& attempt : run.attempts) {
        for (const auto* traces : {&attempt.losses, &attempt.norms}) {
            for (const Trace& trace : *traces)
                evaluateTrace(attempt, trace, settings, job, findings);
        }
    }
    return findings;
}

}  // namespace firstbad::core
