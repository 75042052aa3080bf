// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/attempt_rule.h"

#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"
#include "core/detect/rolling_level.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

Finding restart(const RunView& run, const AttemptView& attempt)
{
    const Attempt& parent = run.run->attempts[*attempt.attempt->parent];
    const std::int64_t first = attempt.first.value_or(0);
    Finding finding = makeFinding("attempt", IncidentKind::Restart, attempt, first,
        fmt::format("attempt {} starts at step {}{}", attempt.attempt->id.value, first,
            parent.lastStep && *parent.lastStep >= first
                ? fmt::format(", steps up to {} are done again", *parent.lastStep)
                : std::string()));
    finding.endStep = std::max(first, parent.lastStep.value_or(first));
    finding.confidence = 0.9;
    Evidence why;
    why.what = attempt.attempt->why.empty() ? "a new launch begins" : attempt.attempt->why;
    why.step = first;
    finding.evidence.push_back(std::move(why));
    if (attempt.attempt->resumedFrom) {
        Evidence from;
        from.what = fmt::format("resumed from step {} {}", attempt.attempt->resumedFrom->step,
            attempt.attempt->resumedFrom->path);
        from.step = attempt.attempt->resumedFrom->step;
        finding.evidence.push_back(std::move(from));
    }
    return finding;
}

Finding emptyAttempt(const AttemptView& attempt)
{
    Finding finding = makeFinding("attempt", IncidentKind::EmptyAttempt, attempt, 0,
        fmt::format("attempt {} logged no step", attempt.attempt->id.value));
    finding.endStep = 0;
    Evidence none;
    none.what = "no series has a point in this attempt";
    finding.evidence.push_back(std::move(none));
    return finding;
}

/// First finite points of the attempt, at most `count`.
std::vector<std::size_t> firstFinite(const Trace& trace, std::size_t count)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < trace.size() && found.size() < count; ++i) {
        if (isFinite(trace.value(i)))
            found.push_back(i);
    }
    return found;
}

/// The level of the history jumps at the first points after a load and does not come from training.
void judgeResume(const AttemptView& attempt, const Trace& loss, const Settings& settings,
    std::vector<Finding>& findings)
{
    std::vector<double> history(loss.before().begin(), loss.before().end());
    const auto first = firstFinite(loss, 3);
    if (history.size() < 5 || first.size() < 2)
        return;
    const Level before = levelOf(history);
    const double limit = before.median
        + std::max(settings.get("resume.jump_share") * std::abs(before.median), 12 * before.mad);
    const bool jumps = std::all_of(
        first.begin(), first.end(), [&](std::size_t i) { return loss.value(i) > limit; });
    if (!jumps || !(before.median > 0.0))
        return;
    Finding finding
        = makeFinding("attempt", IncidentKind::BadResume, attempt, loss.step(first.front()),
            fmt::format("loss jumps from {} to {} at the first step after the load",
                shown(before.median), shown(loss.value(first.front()))));
    finding.confidence = 0.85;
    finding.evidence.push_back(loss.evidence(first.front(),
        fmt::format(
            "level before the load: median {}, MAD {}", shown(before.median), shown(before.mad))));
    const double vocabulary = std::exp(std::min(loss.value(first.front()), 40.0));
    finding.hypotheses.push_back({"state",
        fmt::format("{} is what a model says that holds {:.0f} answers for equally likely: part "
                    "of it may be set up anew",
            shown(loss.value(first.front())), vocabulary)});
    finding.unknown.push_back({"Which tensors did not come from the checkpoint?",
        "compare the tensors of the first save after the load with those of the checkpoint"});
    findings.push_back(std::move(finding));
}

/// One tiny update cannot move a loss far: the weights were replaced between two steps.
void judgeFirstUpdates(const AttemptView& attempt, const Trace& loss, const Settings& settings,
    std::vector<Finding>& findings)
{
    const Trace* rate = AttemptView::ofRank(attempt.rates, loss.rank());
    const auto first = firstFinite(loss, 4);
    if (!rate || first.size() < 3)
        return;
    const double start = loss.value(first[0]);
    const auto lr = rate->valueUpTo(loss.step(first[1]));
    const double limit = start * (1.0 + settings.get("resume.jump_share"));
    if (!(start > 0.0) || !lr || !isFinite(*lr) || !(*lr <= 1e-6) || !(loss.value(first[1]) > limit)
        || !(loss.value(first[2]) > limit))
        return;
    Finding finding = makeFinding("attempt", IncidentKind::BadResume, attempt, loss.step(first[1]),
        fmt::format("loss goes from {} to {} in one update with a learning rate of {}",
            shown(start), shown(loss.value(first[1])), shown(*lr)));
    finding.confidence = 0.85;
    finding.evidence.push_back(loss.evidence(first[0], "loss of the loaded weights"));
    finding.evidence.push_back(
        loss.evidence(first[1], "too far for one update of this size: the weights were replaced"));
    finding.hypotheses.push_back(
        {"state", "the master copies of the weights did not come from the loaded model"});
    findings.push_back(std::move(finding));
}

}  // namespace

std::vector<Finding> evaluateAttempts(const RunView& run, const Settings& settings, JobContext& job)
{
    std::vector<Finding> findings;
    for (const AttemptView& attempt : run.attempts) {
        if (job.cancelled())
            return {};
        if (!attempt.first && run.attempts.size() > 1)
            findings.push_back(emptyAttempt(attempt));
        if (attempt.attempt->parent && attempt.first)
            findings.push_back(restart(run, attempt));
        for (const Trace& loss : attempt.losses) {
            judgeResume(attempt, loss, settings, findings);
            judgeFirstUpdates(attempt, loss, settings, findings);
        }
    }
    return findings;
}

}  // namespace firstbad::core
