// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/nonfinite_rule.h"

#include "core/base/text.h"
#include "core/base/value_kind.h"
#include "core/detect/display_artefact.h"
#include "core/detect/finding_text.h"
#include "core/detect/rerun_check.h"
#include "core/detect/unmeasured.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kJoinPoints = 5;  // good points in a row that end an episode

/// A point at which a trace shows, or hides, a value that is not finite.
struct BadPoint {
    const Trace* trace = nullptr;
    std::size_t at = 0;  ///< index in the trace; unused when missing
    std::int64_t step = 0;
    std::int64_t from = 0;  ///< first step that the point stands for
    bool missing = false;  ///< the field is absent where the source drops it
};

struct Episode {
    std::vector<BadPoint> points;  // by step
    std::int64_t onset = 0;
    std::int64_t last = 0;
    std::size_t losses = 0;
    std::size_t norms = 0;
    std::size_t missing = 0;
    bool skipped = true;  ///< every point lies in a skipped update
    bool allInfinite = true;
};

bool isSkipped(const AttemptView& attempt, const BadPoint& point)
{
    // Where the scale is logged before the update, its fall is seen one point later.
    const auto stride = point.trace->interval();
    const SkippedUpdates* skip = attempt.skips.touching(point.from, point.step);
    if (skip == nullptr && !attempt.skips.isCounted())
        skip = attempt.skips.touching(point.step + 1, point.step + stride);
    return skip != nullptr;
}

void collect(const Trace& trace, std::vector<BadPoint>& points)
{
    for (std::size_t i = 0; i < trace.size(); ++i) {
        if (!isFinite(trace.value(i)))
            points.push_back({&trace, i, trace.step(i), AttemptView::firstStepOf(trace, i), false});
    }
}

/// Iterations that the source itself counted as NaN, though the printed loss is a mean of others.
void collectCounted(const Trace& trace, std::vector<BadPoint>& points)
{
    for (std::size_t i = 0; i < trace.size(); ++i) {
        if (isFinite(trace.value(i)) && trace.value(i) >= 1.0)
            points.push_back({&trace, i, trace.step(i), AttemptView::firstStepOf(trace, i), false});
    }
}

/// A Megatron line without its loss: NaN, or every step of the interval was skipped.
void collectMissing(const Trace& trace, std::vector<BadPoint>& points)
{
    const std::int64_t stride = trace.interval();
    for (const std::int64_t step : trace.column().missingSteps)
        points.push_back({&trace, 0, step, step - stride + 1, true});
}

std::vector<Episode> episodesOf(const AttemptView& attempt, std::vector<BadPoint> points)
{
    std::stable_sort(points.begin(), points.end(),
        [](const BadPoint& a, const BadPoint& b) { return a.step < b.step; });
    std::vector<Episode> episodes;
    for (const BadPoint& point : points) {
        // A sparse column beside a dense one is judged by its own points.
        const auto join = static_cast<std::int64_t>(kJoinPoints) * point.trace->interval();
        if (episodes.empty() || point.step - episodes.back().last > join) {
            episodes.emplace_back();
            episodes.back().onset = point.step;
        }
        Episode& now = episodes.back();
        now.last = point.step;
        const bool isLoss = point.trace->series().quantity != Quantity::GradNorm;
        ++(point.missing ? now.missing : isLoss ? now.losses : now.norms);
        now.skipped = now.skipped && isSkipped(attempt, point);
        const auto kind
            = point.missing ? ValueKind::NotANumber : classify(point.trace->value(point.at));
        now.allInfinite = now.allInfinite
            && (kind == ValueKind::PlusInfinity || kind == ValueKind::MinusInfinity);
        now.points.push_back(point);
    }
    return episodes;
}

Evidence quote(const BadPoint& point)
{
    const std::string& name = point.trace->series().name;
    if (point.trace->series().quantity == Quantity::NanIterations)
        return point.trace->evidence(point.at, fmt::format("{} is not 0", name));
    if (!point.missing) {
        const double value = point.trace->value(point.at);
        return point.trace->evidence(point.at, fmt::format("{} is {}", name, shown(value)));
    }
    Evidence evidence;
    evidence.what = fmt::format(
        "the field '{}' is missing: a NaN loss, or every update of the interval skipped", name);
    evidence.series = name;
    evidence.step = point.step;
    return evidence;
}

/// The first point of each kind, so that each onset can be read.
void quoteFirsts(const Episode& episode, Finding& finding)
{
    std::vector<const Series*> seen;
    bool quotedMissing = false;
    for (const BadPoint& point : episode.points) {
        const Series* series = &point.trace->series();
        if (point.missing ? quotedMissing
                          : std::find(seen.begin(), seen.end(), series) != seen.end())
            continue;
        point.missing ? static_cast<void>(quotedMissing = true) : seen.push_back(series);
        finding.evidence.push_back(quote(point));
    }
}

struct LossBeside {
    bool exactlyZero = false;
    bool finite = false;
};

LossBeside lossBeside(
    const AttemptView& attempt, const Episode& episode, std::optional<std::int32_t> rank)
{
    LossBeside beside;
    const Trace* loss = AttemptView::ofRank(attempt.losses, rank);
    if (!loss)
        return beside;
    std::size_t zeros = 0;
    std::size_t finite = 0;
    for (std::size_t i = loss->lowerBound(episode.onset);
         i < loss->size() && loss->step(i) <= episode.last; ++i) {
        finite += isFinite(loss->value(i)) ? 1U : 0U;
        zeros += loss->value(i) == 0.0 ? 1U : 0U;
    }
    beside.finite = finite > 0;
    beside.exactlyZero = zeros > 0 && 2 * zeros >= finite;
    return beside;
}

bool normIsZeroAt(
    const AttemptView& attempt, const Episode& episode, std::optional<std::int32_t> rank)
{
    for (const Trace& norm : attempt.norms) {
        if (rank && norm.rank() && norm.rank() != rank)
            continue;
        const std::size_t i = norm.lowerBound(episode.onset);
        if (i < norm.size() && norm.step(i) == episode.onset)
            return norm.value(i) == 0.0;
    }
    return false;
}

/// Norms of groups or layers at that step: all finite, so that only their sum of squares is not.
const Trace* finitePartAt(const AttemptView& attempt, std::int64_t step)
{
    const Trace* part = nullptr;
    for (const Trace& trace : attempt.others) {
        const std::string& name = trace.series().name;
        const std::size_t at = trace.lowerBound(step);
        const bool isPart = containsIgnoringCase(name, "grad") && containsIgnoringCase(name, "norm")
            && !containsIgnoringCase(name, "norm_of") && !trace.series().isRunningMean;
        if (!isPart || at >= trace.size() || trace.step(at) != step)
            continue;
        if (!isFinite(trace.value(at)))
            return nullptr;
        part = &trace;
    }
    return part;
}

/// A scaler tests every gradient: when it skips nothing, each was finite, whatever the norm says.
bool scalerSawFinite(const RunView& run, const AttemptView& attempt, const Episode& episode)
{
    return run.hasDynamicScale && attempt.skips.isCounted()
        && !attempt.skips.touching(episode.onset, episode.last + attempt.interval);
}

bool isNormOverflow(const RunView& run, const AttemptView& attempt, const Episode& episode)
{
    if (episode.losses + episode.missing > 0 || episode.norms == 0 || !episode.allInfinite)
        return false;
    return finitePartAt(attempt, episode.onset) != nullptr
        || scalerSawFinite(run, attempt, episode);
}

IncidentKind kindOf(const AttemptView& attempt, const Episode& episode,
    std::optional<std::int32_t> rank, const RunView& run)
{
    if (episode.losses + episode.missing > 0)
        return normIsZeroAt(attempt, episode, rank) ? IncidentKind::EmptyLoss
                                                    : IncidentKind::NonfiniteLoss;
    if (isNormOverflow(run, attempt, episode))
        return IncidentKind::NormOverflow;
    const LossBeside beside = lossBeside(attempt, episode, rank);
    const bool hidden = beside.exactlyZero || (beside.finite && run.run->traits.lossMayBeFiltered);
    return hidden ? IncidentKind::SilentNonfinite : IncidentKind::NonfiniteGrad;
}

void addVerdict(
    const AttemptView& attempt, const Episode& episode, const Settings& settings, Finding& finding)
{
    const auto persistent = static_cast<std::size_t>(settings.get("nonfinite.persistent"));
    const std::size_t bad = std::max({episode.losses, episode.norms, episode.missing});
    const std::int64_t end = attempt.last.value_or(episode.last);
    const bool lasts = episode.last + episode.points.back().trace->interval() > end;
    finding.recovered = !lasts;
    if (!lasts)
        finding.endStep = episode.last;
    finding.confidence = bad >= persistent ? 0.95 : 0.65;
    if (bad < persistent) {
        const bool lossIsBad = episode.losses + episode.missing > 0;
        if (!lossIsBad || episode.skipped)
            finding.verdict = IncidentClass::Unknown;
        finding.unknown.push_back({"Was the update of this step made, and would it happen again?",
            "replay the step several times from a capsule, or compare the weights before and "
            "after it"});
    }
    if (episode.skipped) {
        Evidence skip;
        skip.what = "the update of every such step was skipped, the weights were not touched";
        skip.step = episode.onset;
        finding.against.push_back(std::move(skip));
        if (bad >= persistent)
            finding.hypotheses.push_back(
                {"state", "the value stays non-finite at every scale: no question of range"});
    }
}

void addLocus(const AttemptView& attempt, const Episode& episode, Finding& finding)
{
    Locus locus;
    locus.step = episode.onset;
    locus.rank = finding.rank;
    const BadPoint& first = episode.points.front();
    locus.lane = first.trace->series().quantity == Quantity::GradNorm ? "grad" : "forward";
    const bool seenFromTheStart = attempt.first && episode.onset <= *attempt.first;
    const bool masked = finding.kind == IncidentKind::SilentNonfinite;
    locus.certain = !masked && !first.missing && !seenFromTheStart && first.from == first.step;
    if (!locus.certain)
        finding.unknown.push_back({"Is this the first bad step, or only the first that was seen?",
            "log every step without filter, or replay from a checkpoint before it"});
    finding.firstBad = locus;
    finding.damageFrom = first.from;
}

void addOverflowReasons(const AttemptView& attempt, const Episode& episode, Finding& finding)
{
    finding.title = fmt::format(
        "the gradient norm is infinite at step {} though every gradient is finite", episode.onset);
    if (const Trace* part = finitePartAt(attempt, episode.onset)) {
        finding.evidence.push_back(part->evidence(part->lowerBound(episode.onset),
            "the norms of the parts are finite, this one among them"));
        finding.verdict = IncidentClass::Fault;
        finding.confidence = 0.8;
    } else {
        Evidence scaler;
        scaler.what = "the scaler tests every gradient and skipped nothing here";
        scaler.step = episode.onset;
        finding.evidence.push_back(std::move(scaler));
    }
    finding.hypotheses.push_back({"range",
        "the sum of squares overflows; clipping by such a norm sets every gradient to zero"});
}

Finding report(const RunView& run, const AttemptView& attempt, const Episode& episode,
    std::optional<std::int32_t> rank, const Settings& settings)
{
    const IncidentKind kind = kindOf(attempt, episode, rank, run);
    const BadPoint& first = episode.points.front();
    Finding finding = makeFinding("nonfinite", kind, attempt, episode.onset,
        fmt::format("{} at step {}", quote(first).what, episode.onset));
    finding.rank = rank;
    quoteFirsts(episode, finding);
    addVerdict(attempt, episode, settings, finding);
    if (kind == IncidentKind::EmptyLoss) {
        finding.verdict = IncidentClass::Fault;
        finding.hypotheses.push_back(
            {"mask", "the gradient is exactly zero: a mean over no valid target"});
    }
    if (kind == IncidentKind::NormOverflow)
        addOverflowReasons(attempt, episode, finding);
    if (kind == IncidentKind::SilentNonfinite)
        finding.title = fmt::format("{} while the loss beside it looks finite", finding.title);
    addLocus(attempt, episode, finding);
    const auto persistent = static_cast<std::size_t>(settings.get("nonfinite.persistent"));
    if (const auto rerun = passedLater(run, attempt, episode.onset, rank))
        addRerun(*rerun, episode.points.size() < persistent, finding);
    return finding;
}

/// A short episode inside skipped updates whose values overflowed is the scaler at work.
bool isScalersWork(const Episode& episode, const Settings& settings)
{
    const auto persistent = static_cast<std::size_t>(settings.get("nonfinite.persistent"));
    if (!episode.skipped)
        return false;
    if (episode.losses + episode.missing == 0)
        return true;
    return episode.losses < persistent && (episode.allInfinite || episode.losses == 0);
}

std::vector<std::optional<std::int32_t>> ranksOf(const AttemptView& attempt)
{
    std::vector<std::optional<std::int32_t>> ranks;
    for (const auto* traces : {&attempt.losses, &attempt.norms}) {
        for (const Trace& trace : *traces) {
            if (std::find(ranks.begin(), ranks.end(), trace.rank()) == ranks.end())
                ranks.push_back(trace.rank());
        }
    }
    return ranks;
}

/// The bad points of one loss; what is no loss of the training is told at once and left out.
void collectLoss(const RunView& run, const AttemptView& attempt, const Trace& loss,
    std::vector<BadPoint>& points, std::vector<Finding>& findings)
{
    const auto unmeasured = unmeasuredSteps(attempt, loss);
    for (const UnmeasuredSteps& stretch : unmeasured)
        findings.push_back(unmeasuredFinding(attempt, loss, stretch));
    if (const Trace* shows = unmeasured.empty() ? lossThatShows(attempt, loss) : nullptr) {
        findings.push_back(silentColumn(attempt, loss, *shows));
        return;
    }
    const std::size_t own = points.size();
    collect(loss, points);
    if (run.run->traits.lossFieldDropsNonfinite)
        collectMissing(loss, points);
    points.erase(std::remove_if(points.begin() + static_cast<std::ptrdiff_t>(own), points.end(),
                     [&](const BadPoint& point) { return isUnmeasured(unmeasured, point.step); }),
        points.end());
}

void judgeRank(const RunView& run, const AttemptView& attempt, std::optional<std::int32_t> rank,
    const Settings& settings, std::vector<Finding>& findings)
{
    std::vector<BadPoint> points;
    for (const Trace& loss : attempt.losses) {
        if (loss.rank() == rank)
            collectLoss(run, attempt, loss, points, findings);
    }
    for (const Trace& norm : attempt.norms) {
        if (norm.rank() == rank)
            collect(norm, points);
    }
    for (const Trace& counter : attempt.nanCounters) {
        if (!rank || !counter.rank() || counter.rank() == rank)
            collectCounted(counter, points);
    }
    for (const Episode& episode : episodesOf(attempt, std::move(points))) {
        if (!isScalersWork(episode, settings))
            findings.push_back(report(run, attempt, episode, rank, settings));
    }
}

}  // namespace

std::vector<Finding> evaluateNonfinite(
    const RunView& run, const Settings& settings, JobContext& job)
{
    std::vector<Finding> findings;
    for (const AttemptView& attempt : run.attempts) {
        if (job.cancelled())
            return {};
        for (const auto& rank : ranksOf(attempt))
            judgeRank(run, attempt, rank, settings, findings);
        addPoisonedMeans(attempt, findings);
    }
    return findings;
}

}  // namespace firstbad::core
