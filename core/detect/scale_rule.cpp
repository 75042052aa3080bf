// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/scale_rule.h"

#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

struct Cluster {
    std::size_t begin = 0;  ///< indices of the attempt's skips
    std::size_t end = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t count = 0;
    double halvings = 0.0;
    bool atStart = false;
    bool touchesEnd = false;
    std::int64_t goodStepsAfter = 0;
};

bool grewBetween(const SkippedUpdates& earlier, const SkippedUpdates& later)
{
    return earlier.after && later.before && isFinite(*earlier.after) && isFinite(*later.before)
        && *later.before > *earlier.after;
}

double halvingsOf(std::span<const SkippedUpdates> skips)
{
    double sum = 0.0;
    for (const SkippedUpdates& skip : skips) {
        if (skip.before && skip.after && *skip.before > *skip.after && isFinite(*skip.before))
            sum += *skip.after > 0.0 ? std::log2(*skip.before / *skip.after) : 1.0;
    }
    return sum;
}

std::vector<Cluster> clustersOf(const AttemptView& attempt, const Settings& settings)
{
    const auto skips = attempt.skips.skips();
    const auto gap = static_cast<std::int64_t>(settings.get("scale.cluster_gap"));
    const std::int64_t stride = attempt.interval > 1 ? attempt.interval : 1;
    std::vector<Cluster> clusters;
    for (std::size_t i = 0; i < skips.size(); ++i) {
        const SkippedUpdates& skip = skips[i];
        bool joins = false;
        if (!clusters.empty()) {
            const SkippedUpdates& last = skips[i - 1];
            const bool byPoints = skip.inferred || last.inferred;
            const std::int64_t good = skip.to - last.to - skip.count;
            const std::int64_t allowed = byPoints ? (gap + 1) * stride : gap;
            const bool sameLines = skip.from == last.from && skip.to == last.to;
            joins = sameLines || (good <= allowed && !grewBetween(last, skip));
        }
        if (!joins)
            clusters.push_back({i, i, skip.from, skip.to, 0, 0.0, false, false, 0});
        Cluster& now = clusters.back();
        now.end = i + 1;
        now.to = std::max(now.to, skip.to);
        now.count += skip.count;
    }
    return clusters;
}

void placeInAttempt(
    std::vector<Cluster>& clusters, const AttemptView& attempt, const Settings& settings)
{
    const auto skips = attempt.skips.skips();
    const auto startup = static_cast<std::int64_t>(settings.get("scale.startup_steps"));
    const std::int64_t stride = std::max<std::int64_t>(1, attempt.interval);
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        Cluster& now = clusters[c];
        now.halvings = halvingsOf(skips.subspan(now.begin, now.end - now.begin));
        const std::int64_t first = attempt.first.value_or(now.from);
        now.atStart = now.from <= first + std::max(startup, 2 * (stride - 1));
        const std::int64_t next = c + 1 < clusters.size()
            ? clusters[c + 1].from - 1
            : std::max(now.to, attempt.last.value_or(now.to));
        now.goodStepsAfter = next - now.to;
        now.touchesEnd = c + 1 == clusters.size() && now.goodStepsAfter <= 0;
    }
}

bool holds(const Cluster& cluster, const Settings& settings)
{
    return cluster.goodStepsAfter
        >= std::max(static_cast<std::int64_t>(settings.get("scale.hold_steps")), cluster.count);
}

Finding begin(
    const AttemptView& attempt, const Cluster& cluster, IncidentKind kind, std::string title)
{
    const auto skips = attempt.skips.skips();
    Finding finding
        = makeFinding("scale", kind, attempt, skips[cluster.begin].shownAt, std::move(title));
    finding.evidence.push_back(skips[cluster.begin].evidence);
    if (cluster.end - cluster.begin > 1)
        finding.evidence.push_back(skips[cluster.end - 1].evidence);
    if (!cluster.touchesEnd)
        finding.endStep = cluster.to;
    finding.recovered = cluster.goodStepsAfter > 0;
    return finding;
}

Finding probe(const AttemptView& attempt, const Cluster& cluster, const Settings& settings)
{
    Finding finding = begin(attempt, cluster, IncidentKind::ScaleProbe,
        fmt::format("{} skipped update(s){}, as a scaler does that looks for its range",
            cluster.count, cluster.atStart ? " at the start" : ""));
    finding.confidence = 0.9;
    if (holds(cluster, settings)) {
        Evidence hold;
        hold.what = fmt::format("{} step(s) without a skip follow", cluster.goodStepsAfter);
        hold.step = cluster.to + 1;
        finding.evidence.push_back(std::move(hold));
        return finding;
    }
    if (cluster.goodStepsAfter < static_cast<std::int64_t>(settings.get("scale.cluster_gap"))) {
        finding.verdict = IncidentClass::Unknown;
        finding.confidence = 0.5;
        finding.unknown.push_back(
            {"Does the scale hold after this?", "read the steps that follow: the log ends here"});
    }
    return finding;
}

Finding burst(const AttemptView& attempt, const Cluster& cluster, bool collapses)
{
    const auto skips = attempt.skips.skips().subspan(cluster.begin, cluster.end - cluster.begin);
    const auto& first = skips.front();
    const auto& last = skips.back();
    const std::string path = first.before && last.after
        ? fmt::format(", scale {} to {}", shown(*first.before), shown(*last.after))
        : std::string();
    Finding finding
        = begin(attempt, cluster, collapses ? IncidentKind::ScaleCollapse : IncidentKind::SkipBurst,
            fmt::format("{} updates skipped in steps {} to {}{}", cluster.count, cluster.from,
                cluster.to, path));
    finding.confidence = cluster.touchesEnd ? 0.95 : 0.85;
    finding.damageFrom = cluster.from;
    if (!cluster.touchesEnd && cluster.goodStepsAfter > 0) {
        Evidence calm;
        calm.what = fmt::format("{} step(s) without a skip follow", cluster.goodStepsAfter);
        calm.step = cluster.to + 1;
        finding.against.push_back(std::move(calm));
    }
    finding.hypotheses.push_back(
        {"range", "the scaled gradients leave the range of the lower type again and again"});
    finding.unknown.push_back({"Which tensor overflows first?",
        "replay a step just before, from a capsule or a checkpoint"});
    return finding;
}

/// The scale that stands when the cluster is over; nullopt when the log does not show it.
std::optional<double> scaleAfter(const AttemptView& attempt, const Cluster& cluster)
{
    const auto& last = attempt.skips.skips()[cluster.end - 1];
    if (last.after)
        return last.after;
    for (const Trace& scale : attempt.scales) {
        const std::size_t at = scale.lowerBound(cluster.to);
        if (at < scale.size() && isFinite(scale.value(at)))
            return scale.value(at);
    }
    return std::nullopt;
}

/// A search from a high first scale whose end the log does not show: still far from the floor.
bool isOpenSearch(const AttemptView& attempt, const Cluster& cluster)
{
    constexpr double kFarFromFloor = 1024.0;
    const auto scale = scaleAfter(attempt, cluster);
    return cluster.atStart && scale && isFinite(*scale) && *scale >= kFarFromFloor;
}

/// Skips that lie one interval apart may or may not be in a row: only the count is known.
bool isSpreadOut(const Cluster& cluster)
{
    return 2 * cluster.count < cluster.to - cluster.from + 1;
}

/// So many updates of a stretch are skipped that the training hardly moves, in a row or not.
bool isCrowded(const Cluster& cluster, const Settings& settings)
{
    const auto steps = static_cast<double>(cluster.to - cluster.from + 1);
    return steps >= settings.get("skip.share_window")
        && static_cast<double>(cluster.count) >= settings.get("skip.share") * steps;
}

void judgeCluster(const AttemptView& attempt, const Cluster& cluster, const Settings& settings,
    std::vector<Finding>& findings)
{
    const auto limit = static_cast<std::int64_t>(settings.get("scale.collapse_skips"));
    const bool isSearch
        = cluster.atStart && (holds(cluster, settings) || isOpenSearch(attempt, cluster));
    const bool many = cluster.count >= limit || cluster.halvings >= static_cast<double>(limit);
    const bool fell = cluster.halvings >= static_cast<double>(limit);
    if (!many || isSearch || (isSpreadOut(cluster) && !fell && !isCrowded(cluster, settings))) {
        findings.push_back(probe(attempt, cluster, settings));
        return;
    }
    // A single halving that the log does not follow up may be hysteresis or a fixed scale.
    findings.push_back(burst(attempt, cluster, cluster.halvings >= 3.0));
    if (cluster.atStart && cluster.touchesEnd && cluster.halvings < 3.0)
        findings.back().confidence = 0.7;
}

void addRunaway(
    const AttemptView& attempt, const Settings& settings, std::vector<Finding>& findings)
{
    const double limit = std::ldexp(1.0, static_cast<int>(settings.get("scale.runaway_log2")));
    for (const Trace& scale : attempt.scales) {
        for (std::size_t i = 0; i < scale.size(); ++i) {
            const double value = scale.value(i);
            const bool infinite = classify(value) == ValueKind::PlusInfinity;
            if (!infinite && !(isFinite(value) && value >= limit))
                continue;
            findings.push_back(makeFinding("scale", IncidentKind::ScaleRunaway, attempt,
                scale.step(i), fmt::format("the loss scale grows to {}", shown(value))));
            findings.back().evidence.push_back(scale.evidence(i, "scale beyond any use"));
            findings.back().hypotheses.push_back(
                {"state", "gradients may be exactly zero, so that nothing ever overflows"});
            break;
        }
    }
}

}  // namespace

std::vector<Finding> evaluateScale(const RunView& run, const Settings& settings, JobContext& job)
{
    std::vector<Finding> findings;
    for (const AttemptView& attempt : run.attempts) {
        if (job.cancelled())
            return {};
        auto clusters = clustersOf(attempt, settings);
        placeInAttempt(clusters, attempt, settings);
        for (const Cluster& cluster : clusters)
            judgeCluster(attempt, cluster, settings, findings);
        addRunaway(attempt, settings, findings);
    }
    return findings;
}

}  // namespace firstbad::core
