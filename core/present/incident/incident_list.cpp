// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/incident/incident_list.h"

#include "core/present/text/incident_plot.h"
#include "core/present/text/phrases.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostSparklines = 500;  ///< a list that long is filtered before it is read

struct PlaceValues {
    std::optional<double> low;
    std::optional<double> high;
    bool isBad = false;

    void add(double value) noexcept
    {
        if (!isFinite(value)) {
            isBad = true;
            return;
        }
        low = low ? std::min(*low, value) : value;
        high = high ? std::max(*high, value) : value;
    }
};

std::size_t placeOf(const Plot& plot, std::int64_t step)
{
    const auto width = static_cast<double>(std::max<std::int64_t>(plot.toStep - plot.fromStep, 1));
    const double share = static_cast<double>(step - plot.fromStep) / width;
    const auto last = static_cast<double>(Sparkline::kPoints - 1);
    return static_cast<std::size_t>(std::clamp(share * last, 0.0, last));
}

std::vector<PlaceValues> collect(const Plot& plot, const PlotPanel& panel)
{
    std::vector<PlaceValues> places(Sparkline::kPoints);
    for (const PlotSegment& segment : panel.segments) {
        for (std::size_t i = 0; i < segment.steps.size(); ++i) {
            if (segment.steps[i] >= plot.fromStep && segment.steps[i] <= plot.toStep)
                places[placeOf(plot, segment.steps[i])].add(segment.values[i]);
        }
        for (const std::int64_t step : segment.missingSteps) {
            if (step >= plot.fromStep && step <= plot.toStep)
                places[placeOf(plot, step)].isBad = true;
        }
    }
    return places;
}

Sparkline sparklineOf(const Run& run, const Incident& incident)
{
    Sparkline line;
    const auto plot = incidentPlot(run, incident);
    if (!plot || plot->panels.empty())
        return line;
    const PlotPanel& panel = plot->panels.front();
    const auto places = collect(*plot, panel);
    const bool isLog = panel.scale != PlotScale::Linear;
    const auto warped
        = [isLog](double value) { return isLog ? std::log2(std::max(value, 1e-300)) : value; };
    PlaceValues range;
    for (const PlaceValues& place : places) {
        if (place.low && place.high) {
            range.add(warped(*place.low));
            range.add(warped(*place.high));
        }
    }
    const double low = range.low.value_or(0.0);
    const double width = std::max(range.high.value_or(1.0) - low, 1e-12);
    for (const PlaceValues& place : places) {
        Sparkline::Place drawn;
        drawn.isBad = place.isBad;
        drawn.hasValue = place.low && place.high;
        if (drawn.hasValue) {
            drawn.low = static_cast<float>((warped(*place.low) - low) / width);
            drawn.high = static_cast<float>((warped(*place.high) - low) / width);
        }
        line.places.push_back(drawn);
    }
    line.onset = placeOf(*plot, incident.onsetStep);
    return line;
}

std::size_t indexOfRun(const Assessment& assessment, const RunAssessment* run)
{
    return static_cast<std::size_t>(run - assessment.runs.data());
}

/// The newest save that the incident leaves to restore, when it is near enough to be shown with it.
std::optional<std::int64_t> saveToRestore(
    const Run& run, const Incident& incident, std::size_t attempt)
{
    constexpr std::int64_t kNearSteps = 300;
    std::optional<std::int64_t> newest;
    for (std::size_t i = 0; i < run.events.size() && i < run.eventAttempt.size(); ++i) {
        const LogEvent& event = run.events[i];
        const bool usable = event.kind == EventKind::Save && event.step
            && incident.restoreBeforeStep && run.eventAttempt[i] == attempt
            && *event.step <= *incident.restoreBeforeStep;
        if (usable)
            newest = std::max(newest.value_or(*event.step), *event.step);
    }
    const std::int64_t interval = std::max<std::int64_t>(run.traits.interval, 1);
    if (!newest || incident.onsetStep - *newest > kNearSteps * interval)
        return std::nullopt;
    const std::int64_t margin = (incident.onsetStep - *newest) / 12 + 1;
    return std::max(*newest - margin, stepsOf(run).from);
}

IncidentRow makeRow(const Assessment& assessment, const PlacedIncident& placed)
{
    const Incident& incident = *placed.incident;
    const Run& run = *placed.run->run;
    IncidentRow row;
    row.id = incident.id;
    row.kind = incident.kind;
    row.verdict = incident.verdict;
    row.confidence = incident.confidence;
    row.title = incident.title;
    row.run = indexOfRun(assessment, placed.run);
    row.attemptName = attemptName(incident.attempt);
    for (std::size_t i = 0; i < run.attempts.size(); ++i) {
        if (run.attempts[i].id.value == incident.attempt)
            row.attempt = i;
    }
    row.onset = incident.onsetStep;
    const auto attemptEnd
        = row.attempt < run.attempts.size() ? run.attempts[row.attempt].lastStep : std::nullopt;
    row.end = std::max(row.onset, incident.endStep.value_or(attemptEnd.value_or(row.onset)));
    std::int64_t last = row.end;
    if (incident.firstBad && incident.firstBad->step)
        last = std::max(last, *incident.firstBad->step);
    row.window = windowAround(run, {row.onset, last});
    if (const auto save = saveToRestore(run, incident, row.attempt))
        row.window.from = std::min(row.window.from, *save);
    return row;
}

void addSubtree(std::vector<AttemptRow>& rows, const Run& run, std::size_t runIndex,
    std::size_t attempt, std::size_t depth)
{
    const Attempt& source = run.attempts[attempt];
    AttemptRow row;
    row.run = runIndex;
    row.attempt = attempt;
    row.name = attemptName(source.id.value);
    row.depth = depth;
    row.first = source.firstStep;
    row.last = source.lastStep;
    if (source.givenUpFrom && source.lastStep)
        row.givenUpSteps = std::max<std::int64_t>(*source.lastStep - *source.givenUpFrom + 1, 0);
    row.end = source.endedHow;
    row.why = source.why;
    const std::size_t own = rows.size();
    rows.push_back(std::move(row));
    for (std::size_t i = attempt + 1; i < run.attempts.size(); ++i) {
        if (run.attempts[i].parent == attempt) {
            rows[own].hasChildren = true;
            addSubtree(rows, run, runIndex, i, depth + 1);
        }
    }
}

}  // namespace

Result<IncidentList> makeIncidentList(const Assessment& assessment, JobContext& job)
{
    IncidentList list;
    for (const PlacedIncident& placed : incidentsInOrder(assessment)) {
        if (job.cancelled())
            return JobContext::cancelledError();
        IncidentRow row = makeRow(assessment, placed);
        if (list.rows.size() < kMostSparklines)
            row.sparkline = sparklineOf(*placed.run->run, *placed.incident);
        list.faults += row.verdict == IncidentClass::Fault ? 1 : 0;
        list.unknowns += row.verdict == IncidentClass::Unknown ? 1 : 0;
        list.benign += row.verdict == IncidentClass::Benign ? 1 : 0;
        list.rows.push_back(std::move(row));
    }
    std::stable_partition(list.rows.begin(), list.rows.end(),
        [](const IncidentRow& row) { return row.verdict != IncidentClass::Benign; });
    return list;
}

std::vector<AttemptRow> makeAttemptList(const Dataset& dataset)
{
    std::vector<AttemptRow> rows;
    for (std::size_t run = 0; run < dataset.runs.size(); ++run) {
        const auto& attempts = dataset.runs[run]->attempts;
        for (std::size_t i = 0; i < attempts.size(); ++i) {
            const bool isRoot = !attempts[i].parent || *attempts[i].parent >= i;
            if (isRoot)
                addSubtree(rows, *dataset.runs[run], run, i, 0);
        }
    }
    return rows;
}

}  // namespace firstbad::core
