// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/ledger_rule.h"

#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"
#include "core/detect/quoted_field.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace firstbad::core {
namespace {

constexpr std::size_t kStays = 3;  // bad updates in a row after the first that are no probe

struct BadLine {
    const LogEvent* event = nullptr;
    std::int64_t step = 0;
    std::int64_t micro = 0;
    std::string stage;
};

std::vector<BadLine> badLines(const AttemptView& attempt)
{
    std::vector<BadLine> lines;
    for (const LogEvent* event : attempt.events) {
        if (event->kind == EventKind::BadEvidence)
            lines.push_back({event, event->step.value_or(0),
                quotedInteger(event->text, "micro_step").value_or(0),
                quotedText(event->text, "stage")});
    }
    std::stable_sort(lines.begin(), lines.end(), [](const BadLine& a, const BadLine& b) {
        return std::pair(a.step, a.micro) < std::pair(b.step, b.micro);
    });
    return lines;
}

std::string laneOf(std::string_view stage)
{
    if (stage == "loss")
        return "forward";
    if (stage == "grad_local")
        return "grad";
    if (stage == "grad_reduced")
        return "reduced";
    if (stage == "unscale" || stage == "clip")
        return "clipped";
    return std::string(stage);
}

Locus locusOf(const BadLine& line)
{
    Locus locus;
    locus.step = line.step;
    locus.microStep = line.micro;
    locus.rank = line.event->rank;
    locus.lane = laneOf(line.stage);
    locus.stage = line.stage;
    locus.op = quotedText(line.event->text, "module");
    locus.tensor = line.event->path;
    locus.certain = true;
    return locus;
}

/// Ranks that name a bad value of their own in the first bad step.
std::set<std::int32_t> originRanks(const std::vector<BadLine>& lines)
{
    std::set<std::int32_t> ranks;
    for (const BadLine& line : lines) {
        const bool own = line.stage != "grad_reduced" && line.event->rank;
        if (own && line.step == lines.front().step)
            ranks.insert(*line.event->rank);
    }
    return ranks;
}

std::size_t ranksIn(const AttemptView& attempt)
{
    std::set<std::int32_t> ranks;
    for (const Trace& loss : attempt.losses) {
        if (loss.rank())
            ranks.insert(*loss.rank());
    }
    return std::max<std::size_t>(1, ranks.size());
}

/// Bad updates after the first bad step, from the norms of one rank.
std::size_t badUpdatesAfter(const AttemptView& attempt, std::int64_t step)
{
    std::size_t most = 0;
    for (const Trace& norm : attempt.norms) {
        std::size_t bad = 0;
        for (std::size_t i = norm.lowerBound(step + 1); i < norm.size(); ++i)
            bad += isFinite(norm.value(i)) ? 0U : 1U;
        most = std::max(most, bad);
    }
    return most;
}

bool endsThere(const AttemptView& attempt, std::int64_t step)
{
    const bool last = attempt.last && *attempt.last <= step + 1;
    return last
        && std::any_of(attempt.events.begin(), attempt.events.end(), [](const LogEvent* event) {
               return event->kind == EventKind::Exception || event->kind == EventKind::Signal;
           });
}

IncidentKind kindOf(const AttemptView& attempt, const std::vector<BadLine>& lines)
{
    const std::string& stage = lines.front().stage;
    if (stage == "input")
        return IncidentKind::InputFault;
    if (stage == "param" || stage == "optimizer")
        return IncidentKind::PoisonedState;
    const auto origins = originRanks(lines).size();
    if (ranksIn(attempt) > 1 && origins > 0 && origins < ranksIn(attempt))
        return IncidentKind::RankOrigin;
    return stage == "loss" || stage == "forward" ? IncidentKind::NonfiniteLoss
                                                 : IncidentKind::NonfiniteGrad;
}

Finding report(const AttemptView& attempt, const std::vector<BadLine>& lines, IncidentKind kind)
{
    const BadLine& first = lines.front();
    Finding finding = makeFinding("ledger", kind, attempt, first.step,
        fmt::format("first bad value at step {}, micro-step {}{}: stage {}, {}", first.step,
            first.micro,
            first.event->rank ? fmt::format(", rank {}", *first.event->rank) : std::string(),
            first.stage, quotedText(first.event->text, "module")));
    finding.firstBad = locusOf(first);
    finding.rank = kind == IncidentKind::RankOrigin ? first.event->rank : std::nullopt;
    finding.confidence = 0.95;
    Evidence quote;
    quote.what = first.event->text;
    quote.step = first.step;
    quote.sourceIndex = first.event->source;
    if (first.event->line > 0)
        quote.line = first.event->line;
    finding.evidence.push_back(std::move(quote));
    return finding;
}

/// One bad micro-step and no bad line after it, but every later norm is bad: the buffer kept it.
bool isStale(const std::vector<BadLine>& lines, std::size_t later)
{
    return later >= kStays && lines.back().step == lines.front().step
        && lines.front().stage == "grad_local";
}

void judgeAttempt(const AttemptView& attempt, std::vector<Finding>& findings)
{
    const auto lines = badLines(attempt);
    if (lines.empty())
        return;
    const std::int64_t step = lines.front().step;
    const std::size_t later = badUpdatesAfter(attempt, step);
    if (isStale(lines, later)) {
        findings.push_back(report(attempt, lines, IncidentKind::StaleGradient));
        Evidence after;
        after.what = fmt::format(
            "{} later norms are not finite although no later micro-step is bad on its own", later);
        after.step = step + 1;
        findings.back().evidence.push_back(std::move(after));
        findings.back().hypotheses.push_back(
            {"software", "the gradient buffer was not cleared when the update was skipped"});
        return;
    }
    findings.push_back(report(attempt, lines, kindOf(attempt, lines)));
    Finding& finding = findings.back();
    const bool handled = attempt.skips.touching(step, step) != nullptr;
    if (handled && later < kStays && !endsThere(attempt, step)) {
        finding.verdict = IncidentClass::Unknown;
        finding.confidence = 0.6;
        finding.recovered = true;
        finding.endStep = step;
        Evidence skip;
        skip.what = "the update was skipped and the following ones are clean";
        skip.step = step;
        finding.against.push_back(std::move(skip));
    }
}

}  // namespace

std::vector<Finding> evaluateLedger(const RunView& run, const Settings& settings, JobContext& job)
{
    static_cast<void>(settings);
    std::vector<Finding> findings;
    for (const AttemptView& attempt : run.attempts) {
        if (job.cancelled())
            return {};
        judgeAttempt(attempt, findings);
    }
    return findings;
}

}  // namespace firstbad::core
