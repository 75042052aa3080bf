// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/timeline/timeline.h"

#include "core/present/look.h"
#include "core/present/text/incident_plot.h"
#include "core/present/text/phrases.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

constexpr std::array kUsualQuantities{
    Quantity::Loss, Quantity::LossScale, Quantity::GradNorm, Quantity::LearningRate};
constexpr std::size_t kFallbackPanels = 3;

/// A whole run's series before a rank's, a step's own value before a running mean, then the
/// longest.
bool isBetter(const Series& a, const Series& b)
{
    if (a.rank.has_value() != b.rank.has_value())
        return !a.rank.has_value();
    if (a.isRunningMean != b.isRunningMean)
        return !a.isRunningMean;
    return a.points() > b.points();
}

const Series* bestOf(const Run& run, Quantity quantity)
{
    const Series* best = nullptr;
    for (const Series* series : run.findAll(quantity)) {
        if (series->points() > 0 && (best == nullptr || isBetter(*series, *best)))
            best = series;
    }
    return best;
}

std::vector<const Series*> chooseSeries(const Run& run, std::span<const std::string> extraSeries)
{
    std::vector<const Series*> chosen;
    const auto add = [&chosen](const Series* series) {
        if (series != nullptr && std::find(chosen.begin(), chosen.end(), series) == chosen.end())
            chosen.push_back(series);
    };
    for (const Quantity quantity : kUsualQuantities)
        add(bestOf(run, quantity));
    for (const Series& series : run.series) {
        if (chosen.size() >= kFallbackPanels
            || !(chosen.empty() || chosen[0]->quantity == Quantity::Other))
            break;
        if (series.points() > 0)
            add(&series);
    }
    for (const std::string& name : extraSeries)
        add(run.find(name));
    return chosen;
}

double typicalInterval(const Column& column)
{
    constexpr std::size_t kLooked = 257;
    std::vector<std::int64_t> distances;
    for (std::size_t i = 1; i < std::min(column.size(), kLooked); ++i)
        distances.push_back(column.steps[i] - column.steps[i - 1]);
    if (distances.empty())
        return 1.0;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return static_cast<double>(std::max<std::int64_t>(*middle, 1));
}

Result<TimelinePanel> makePanel(const Series& series, std::size_t attempts, JobContext& job)
{
    const PlotPanel look = panelFor(series);
    TimelinePanel panel;
    panel.label = look.label;
    panel.sourceName = series.name;
    panel.quantity = series.quantity;
    panel.scale = look.scale;
    panel.holdsValue = look.holdsValue;
    for (std::size_t i = 0; i < attempts; ++i) {
        if (job.cancelled())
            return JobContext::cancelledError();
        TimelineTrace trace;
        const auto column = i < series.columns.size() ? series.columns[i] : nullptr;
        if (column && !(column->empty() && column->missingSteps.empty())) {
            trace.pyramid = std::make_shared<const Pyramid>(column);
            trace.stepsAscend = std::is_sorted(column->steps.begin(), column->steps.end())
                && std::is_sorted(column->missingSteps.begin(), column->missingSteps.end());
            trace.interval = typicalInterval(*column);
        }
        panel.traces.push_back(std::move(trace));
    }
    return panel;
}

TimelineAttempt makeAttempt(const Attempt& attempt)
{
    TimelineAttempt made;
    made.name = attemptName(attempt.id.value);
    made.parent = attempt.parent;
    made.first = attempt.firstStep;
    made.last = attempt.lastStep;
    made.givenUpFrom = attempt.givenUpFrom;
    if (attempt.resumedFrom)
        made.resumedFrom = attempt.resumedFrom->step;
    made.end = attempt.endedHow;
    made.why = attempt.why;
    return made;
}

std::optional<std::size_t> attemptOf(const Run& run, const std::string& id)
{
    for (std::size_t i = 0; i < run.attempts.size(); ++i) {
        if (run.attempts[i].id.value == id)
            return i;
    }
    return std::nullopt;
}

std::optional<TimelineBand> makeBand(const Run& run, const Incident& incident)
{
    const auto attempt = attemptOf(run, incident.attempt);
    if (!attempt)
        return std::nullopt;
    TimelineBand band;
    band.id = incident.id;
    band.kind = incident.kind;
    band.verdict = incident.verdict;
    band.attempt = *attempt;
    band.from = incident.onsetStep;
    band.to = std::max(incident.onsetStep,
        incident.endStep.value_or(run.attempts[*attempt].lastStep.value_or(incident.onsetStep)));
    band.peak = incident.peakStep;
    if (incident.firstBad && incident.firstBad->step) {
        band.firstBad = incident.firstBad->step;
        band.firstBadCertain = incident.firstBad->certain;
    }
    return band;
}

void addEventMarkers(Timeline& timeline)
{
    const Run& run = *timeline.run;
    for (std::size_t i = 0; i < run.events.size(); ++i) {
        const LogEvent& event = run.events[i];
        if (!event.step || i >= run.eventAttempt.size())
            continue;
        TimelineMarker marker;
        marker.step = *event.step;
        marker.attempt = run.eventAttempt[i];
        marker.text = event.kind == EventKind::Save ? event.path : event.text;
        if (event.kind == EventKind::Save)
            marker.kind = TimelineMarkerKind::Save;
        else if (event.kind == EventKind::Intervention)
            marker.kind = TimelineMarkerKind::Intervention;
        else if (event.kind == EventKind::DataChange)
            marker.kind = TimelineMarkerKind::DataChange;
        else
            continue;
        timeline.markers.push_back(std::move(marker));
    }
}

/// A checkpoint on disk that no log line names belongs to the newest attempt that has its step.
void addFoundSaves(Timeline& timeline, const Dataset& dataset)
{
    for (const FoundArtifact& artifact : dataset.checkpoints) {
        const auto step = stepInName(artifact.path);
        if (!step)
            continue;
        const bool known = std::any_of(
            timeline.markers.begin(), timeline.markers.end(), [&step](const TimelineMarker& m) {
                return m.kind == TimelineMarkerKind::Save && m.step == *step;
            });
        for (std::size_t i = timeline.attempts.size(); !known && i-- > 0;) {
            const TimelineAttempt& attempt = timeline.attempts[i];
            if (!attempt.first || *step < *attempt.first - 1 || *step > attempt.last.value_or(0))
                continue;
            TimelineMarker marker;
            marker.step = *step;
            marker.attempt = i;
            marker.text = artifact.path;
            timeline.markers.push_back(std::move(marker));
            break;
        }
    }
}

/// Several lines may tell of one save ("saving", "saved").
void sortMarkers(Timeline& timeline)
{
    auto& markers = timeline.markers;
    std::stable_sort(markers.begin(), markers.end(),
        [](const TimelineMarker& a, const TimelineMarker& b) { return a.step < b.step; });
    const auto same = [](const TimelineMarker& a, const TimelineMarker& b) {
        return a.step == b.step && a.attempt == b.attempt && a.kind == b.kind
            && (a.kind == TimelineMarkerKind::Save || a.text == b.text);
    };
    markers.erase(std::unique(markers.begin(), markers.end(), same), markers.end());
}

void markSaveToRestore(Timeline& timeline, const std::vector<Incident>& incidents)
{
    const auto fault = std::find_if(incidents.begin(), incidents.end(),
        [](const Incident& i) { return i.verdict == IncidentClass::Fault && i.restoreBeforeStep; });
    if (fault == incidents.end())
        return;
    TimelineMarker* newest = nullptr;
    for (TimelineMarker& marker : timeline.markers) {
        if (marker.kind == TimelineMarkerKind::Save && marker.step <= *fault->restoreBeforeStep)
            newest = &marker;
    }
    if (newest != nullptr)
        newest->newestBeforeFault = true;
}

}  // namespace

Result<Timeline> makeTimeline(const Assessment& assessment, std::size_t run,
    std::span<const std::string> extraSeries, JobContext& job)
{
    Timeline timeline;
    if (run >= assessment.runs.size())
        return timeline;
    job.setStage("preparing the timeline");
    timeline.run = assessment.runs[run].run;
    for (const Attempt& attempt : timeline.run->attempts)
        timeline.attempts.push_back(makeAttempt(attempt));
    const StepWindow steps = stepsOf(*timeline.run);
    timeline.from = steps.from;
    timeline.to = steps.to;
    for (const Series* series : chooseSeries(*timeline.run, extraSeries)) {
        auto panel = makePanel(*series, timeline.attempts.size(), job);
        if (!panel)
            return tl::unexpected(std::move(panel.error()));
        timeline.panels.push_back(std::move(*panel));
    }
    const auto& incidents = assessment.runs[run].judgement.incidents;
    for (const Incident& incident : incidents) {
        if (auto band = makeBand(*timeline.run, incident))
            timeline.bands.push_back(std::move(*band));
    }
    addEventMarkers(timeline);
    addFoundSaves(timeline, *assessment.dataset);
    sortMarkers(timeline);
    markSaveToRestore(timeline, incidents);
    return timeline;
}

StepWindow stepsOf(const Run& run) noexcept
{
    std::optional<StepWindow> steps;
    for (const Attempt& attempt : run.attempts) {
        if (!attempt.firstStep || !attempt.lastStep)
            continue;
        if (!steps)
            steps = StepWindow{*attempt.firstStep, *attempt.lastStep};
        steps->from = std::min(steps->from, *attempt.firstStep);
        steps->to = std::max(steps->to, *attempt.lastStep);
    }
    return steps.value_or(StepWindow{});
}

StepWindow windowAround(const Run& run, StepWindow matters) noexcept
{
    constexpr std::int64_t kLeastSteps = 40;
    constexpr std::int64_t kMostSteps = 400;
    const std::int64_t interval = std::max<std::int64_t>(run.traits.interval, 1);
    const std::int64_t length
        = std::clamp(matters.to - matters.from, kLeastSteps * interval, kMostSteps * interval);
    const StepWindow whole = stepsOf(run);
    StepWindow window;
    window.from = std::max(matters.from - std::max(length / 2, kLeastSteps * interval), whole.from);
    window.to = std::min(matters.from + length + length / 2, whole.to);
    return window;
}

std::vector<bool> lineageOf(const Timeline& timeline, int attempt)
{
    std::vector<bool> lineage(timeline.attempts.size(), false);
    auto at = attempt < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(attempt));
    while (at && *at < lineage.size() && !lineage[*at]) {
        lineage[*at] = true;
        at = timeline.attempts[*at].parent;
    }
    return lineage;
}

}  // namespace firstbad::core
