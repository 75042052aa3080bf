// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/update_rule.h"

#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"
#include "core/detect/quoted_field.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kLeastUpdates = 20;

/// Gradient norms of exactly zero: the update had no effect, whoever set them to zero.
void judgeZeroNorms(const AttemptView& attempt, const Trace& norm, const Settings& settings,
    std::vector<Finding>& findings)
{
    std::size_t zeros = 0;
    std::size_t finite = 0;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < norm.size(); ++i) {
        if (!isFinite(norm.value(i)))
            continue;
        ++finite;
        const bool zero
            = norm.value(i) == 0.0 && !attempt.skips.touching(norm.step(i), norm.step(i));
        if (!zero)
            continue;
        ++zeros;
        first = first ? first : i;
    }
    const double share = settings.get("update.zero_share");
    if (finite < kLeastUpdates || !first
        || static_cast<double>(zeros) < share * static_cast<double>(finite))
        return;
    Finding finding = makeFinding("update", IncidentKind::NoUpdate, attempt, norm.step(*first),
        fmt::format("{} of {} updates carry no gradient at all", zeros, finite));
    finding.confidence = 0.85;
    finding.evidence.push_back(
        norm.evidence(*first, fmt::format("first gradient norm of exactly 0, {} in all", zeros)));
    finding.hypotheses.push_back(
        {"software", "bad gradients may be set to zero instead of being reported"});
    finding.unknown.push_back({"What were these gradients before they became zero?",
        "record the norm before anything is filtered or clipped"});
    findings.push_back(std::move(finding));
}

/// Two saves of different steps with the same hashes: no weight moved in between.
void judgeSaves(const AttemptView& attempt, std::vector<Finding>& findings)
{
    const LogEvent* last = nullptr;
    for (const LogEvent* event : attempt.events) {
        if (event->kind != EventKind::Save || !event->step)
            continue;
        const std::string hash = quotedText(event->text, "sha256");
        const bool sameRank = last && last->rank == event->rank;
        if (!hash.empty() && sameRank && *last->step < *event->step
            && quotedText(last->text, "sha256") == hash) {
            Finding finding = makeFinding("update", IncidentKind::NoUpdate, attempt, *last->step,
                fmt::format("the saves of steps {} and {} hold the same weights", *last->step,
                    *event->step));
            finding.endStep = *event->step;
            finding.confidence = 0.95;
            for (const LogEvent* one : {last, event}) {
                Evidence save;
                save.what = fmt::format("{} has SHA-256 {}", one->path, hash.substr(0, 16));
                save.step = one->step;
                save.sourceIndex = one->source;
                if (one->line > 0)
                    save.line = one->line;
                finding.evidence.push_back(std::move(save));
            }
            findings.push_back(std::move(finding));
        }
        last = hash.empty() ? last : event;
    }
}

/// The schedule counts steps that the optimizer did not make, or the other way round.
void judgeSchedule(const AttemptView& attempt, std::vector<Finding>& findings)
{
    const Trace* updates = attempt.other("optimizer_steps");
    const Trace* schedule = attempt.other("schedule_steps");
    if (!updates || !schedule)
        return;
    const std::size_t count = std::min(updates->size(), schedule->size());
    for (std::size_t i = 1; i < count; ++i) {
        const double now = schedule->value(i) - updates->value(i);
        const double start = schedule->value(0) - updates->value(0);
        if (!isFinite(now) || !isFinite(start) || now == start)
            continue;
        Finding finding
            = makeFinding("update", IncidentKind::ScheduleDrift, attempt, updates->step(i),
                fmt::format("schedule at {}, optimizer at {} updates", shown(schedule->value(i)),
                    shown(updates->value(i))));
        finding.evidence.push_back(schedule->evidence(i, "steps of the schedule"));
        finding.evidence.push_back(updates->evidence(i, "updates that were made"));
        finding.unknown.push_back({"Which clock is the schedule meant to follow?",
            "read the configuration: by samples it may run ahead of the updates on purpose"});
        findings.push_back(std::move(finding));
        return;
    }
}

}  // namespace

std::vector<Finding> evaluateUpdates(const RunView& run, const Settings& settings, JobContext& job)
{
    std::vector<Finding> findings;
    for (const AttemptView& attempt : run.attempts) {
        if (job.cancelled())
            return {};
        for (const Trace& norm : attempt.norms)
            judgeZeroNorms(attempt, norm, settings, findings);
        judgeSaves(attempt, findings);
        judgeSchedule(attempt, findings);
    }
    return findings;
}

}  // namespace firstbad::core
