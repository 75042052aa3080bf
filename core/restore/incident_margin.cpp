// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/restore/incident_margin.h"

#include "core/base/text.h"
#include "core/restore/ledger_saves.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace firstbad::core {
namespace {

/// The attempt that wrote a save: the one that says so, else the last that ran through its step.
std::optional<std::size_t> attemptOf(const Run& run, const SaveRecord& record)
{
    for (std::size_t e = run.events.size(); e-- > 0;) {
        const LogEvent& event = run.events[e];
        if (event.kind == EventKind::Save && !event.path.empty() && e < run.eventAttempt.size()
            && isEndOfPath(record.place.shown, event.path))
            return run.eventAttempt[e];
    }
    for (std::size_t a = run.attempts.size(); a-- > 0;) {
        const Attempt& attempt = run.attempts[a];
        if (attempt.firstStep && attempt.lastStep && *record.step >= *attempt.firstStep
            && *record.step <= *attempt.lastStep)
            return a;
    }
    return std::nullopt;
}

/// Up to which step `attempt` carries on the state of `ancestor`; nullopt: not at all.
std::optional<std::int64_t> inheritedUpTo(
    const Run& run, std::size_t attempt, const std::string& ancestor)
{
    std::int64_t reach = std::numeric_limits<std::int64_t>::max();
    std::optional<std::size_t> at = attempt;
    for (std::size_t guard = 0; at && guard <= run.attempts.size(); ++guard) {
        const Attempt& here = run.attempts[*at];
        if (here.id.value == ancestor)
            return reach;
        const std::int64_t from
            = here.resumedFrom ? here.resumedFrom->step : here.firstStep.value_or(0);
        reach = std::min(reach, from);
        at = here.parent;
    }
    return std::nullopt;
}

/// Faults that leave weights and moments as they were: a save from then on is no worse for them.
bool spoilsState(IncidentKind kind) noexcept
{
    switch (kind) {
    case IncidentKind::ScaleProbe:
    case IncidentKind::ScaleViolation:
    case IncidentKind::Hang:
    case IncidentKind::ScheduleDrift:
    case IncidentKind::NoUpdate:
    case IncidentKind::Restart:
    case IncidentKind::ThroughputDrop:
    case IncidentKind::DataRepeat:
    case IncidentKind::EmptyAttempt:
    case IncidentKind::DisplayArtefact:
    case IncidentKind::None:
        return false;
    default:
        return true;
    }
}

struct Margin {
    std::int64_t from = 0;  ///< first step that may not be restored
    std::int64_t to = std::numeric_limits<std::int64_t>::max();
};

Margin marginOf(const Incident& incident, std::int64_t cleanSteps)
{
    Margin margin;
    margin.from = incident.restoreBeforeStep ? *incident.restoreBeforeStep + 1 : incident.onsetStep;
    if (incident.recovered.value_or(false) && incident.endStep)
        margin.to = *incident.endStep + cleanSteps;
    return margin;
}

std::string marginText(const SaveRecord& record, const Incident& incident)
{
    const std::int64_t onset = incident.onsetStep;
    const std::int64_t step = *record.step;
    if (step < onset)
        return fmt::format("{} steps before incident {} ({}), inside its margin",
            groupedInteger(onset - step), incident.id, toString(incident.kind));
    return fmt::format("{} steps after the onset of incident {} ({})", groupedInteger(step - onset),
        incident.id, toString(incident.kind));
}

void placeInRun(SaveRecord& record, const RunAssessment& assessed, std::int64_t cleanSteps,
    std::optional<std::int64_t>& nextOnset)
{
    const Run& run = *assessed.run;
    const auto attempt = attemptOf(run, record);
    if (!attempt)
        return;
    record.attempt = run.attempts[*attempt].id.value;
    for (const Incident& incident : assessed.judgement.incidents) {
        if (incident.verdict != IncidentClass::Fault || !spoilsState(incident.kind))
            continue;
        const auto reach = inheritedUpTo(run, *attempt, incident.attempt);
        if (!reach || incident.onsetStep > *reach)
            continue;  // given up before the state of this save was made
        const Margin margin = marginOf(incident, cleanSteps);
        if (*record.step >= margin.from && *record.step <= margin.to && record.margin.empty())
            record.margin = marginText(record, incident);
        if (incident.onsetStep > *record.step)
            nextOnset = std::min(nextOnset.value_or(incident.onsetStep), incident.onsetStep);
    }
}

std::optional<std::int64_t> lastStepAfter(const Assessment& assessment, const SaveRecord& record)
{
    for (const RunAssessment& assessed : assessment.runs) {
        for (const Attempt& attempt : assessed.run->attempts) {
            if (attempt.id.value == record.attempt && attempt.lastStep)
                return attempt.lastStep;
        }
    }
    return std::nullopt;
}

}  // namespace

void placeAmongIncidents(SaveRecord& record, const Assessment& assessment, std::int64_t cleanSteps)
{
    if (!record.step)
        return;
    std::optional<std::int64_t> nextOnset;
    for (const RunAssessment& assessed : assessment.runs)
        placeInRun(record, assessed, cleanSteps, nextOnset);
    const auto last = lastStepAfter(assessment, record);
    if (nextOnset)
        record.clean = fmt::format("{} clean steps between it and the next incident",
            groupedInteger(*nextOnset - *record.step - 1));
    else if (last && *last > *record.step)
        record.clean = fmt::format("{} clean steps after it", groupedInteger(*last - *record.step));
}

}  // namespace firstbad::core
