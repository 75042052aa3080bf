// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/checklist.h"

#include "core/present/text/phrases.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

using State = ReportCheck::State;

bool hasEvent(const Run& run, EventKind kind)
{
    return std::any_of(run.events.begin(), run.events.end(),
        [kind](const LogEvent& event) { return event.kind == kind; });
}

bool hasIncident(const RunAssessment& run, IncidentKind kind)
{
    return std::any_of(run.judgement.incidents.begin(), run.judgement.incidents.end(),
        [kind](const Incident& incident) { return incident.kind == kind; });
}

ReportCheck boundaries(const RunAssessment& run)
{
    const bool ledger = hasEvent(*run.run, EventKind::BadEvidence);
    const bool hidden = hasIncident(run, IncidentKind::SilentNonfinite);
    if (hidden)
        return {ReportPhrase::CheckBoundaries, State::Violated,
            "non-finite values were filtered or masked in the log"};
    return {ReportPhrase::CheckBoundaries, ledger ? State::Shown : State::Unknown,
        ledger ? "the ledger freezes the first bad tensor" : "needs an evidence ledger"};
}

ReportCheck scaler(const RunAssessment& run)
{
    const bool scale = run.run->find(Quantity::LossScale) != nullptr;
    const bool skips = run.judgement.audit.skippedTotal.has_value();
    return {ReportPhrase::CheckScaler, scale && skips ? State::Shown : State::Unknown,
        fmt::format("loss scale {}, skipped updates {}", scale ? "logged" : "not logged",
            skips ? "counted" : "not counted")};
}

ReportCheck ranks(const RunAssessment& run)
{
    if (hasIncident(run, IncidentKind::RankDisagreement) || hasIncident(run, IncidentKind::Hang))
        return {ReportPhrase::CheckRanks, State::Violated, "ranks took different decisions"};
    const bool many = std::any_of(run.run->series.begin(), run.run->series.end(),
        [](const Series& series) { return series.rank && series.rank->value > 0; });
    return {ReportPhrase::CheckRanks, many ? State::Shown : State::Unknown,
        many ? "no rank that was logged differs" : "only one rank's view was read"};
}

ReportCheck links(const RunAssessment& run)
{
    const bool ledger
        = hasEvent(*run.run, EventKind::BadEvidence) || hasEvent(*run.run, EventKind::Decision);
    return {ReportPhrase::CheckLinks, ledger ? State::Shown : State::Unknown,
        ledger ? "by the ledger's header and step lines" : "needs an evidence ledger"};
}

ReportCheck replayed(const ReportInput& input, const Dataset& dataset)
{
    if (input.replay)
        return {ReportPhrase::CheckReplay, State::Shown,
            fmt::format("replayed; reproduced: {}", input.replay->reproduced)};
    return {ReportPhrase::CheckReplay, State::Unknown,
        dataset.capsules.empty() ? "no capsule was found"
                                 : counted(dataset.capsules.size(), "capsule") + " found, not run"};
}

ReportCheck checkpoints(const ReportInput& input)
{
    const auto closed = std::count_if(input.statuses.begin(), input.statuses.end(),
        [](const StatusChange& change) { return change.after == "quarantined"; });
    return {ReportPhrase::CheckCheckpoints, State::Unknown,
        closed > 0
            ? "bad saves are quarantined here; whether the launch script calls "
              "`firstbad checkpoint gate` is unknown"
            : "no status is recorded; put `firstbad checkpoint gate` into the launch script"};
}

}  // namespace

ReportPhrase phraseOf(ReportCheck::State state) noexcept
{
    switch (state) {
    case State::Shown:
        return ReportPhrase::Shown;
    case State::Violated:
        return ReportPhrase::Violated;
    case State::Unknown:
        break;
    }
    return ReportPhrase::NotShown;
}

std::vector<ReportCheck> makeChecklist(
    const Assessment& assessment, const PlacedIncident& placed, const ReportInput& input)
{
    const RunAssessment& run = *placed.run;
    return {boundaries(run), scaler(run), ranks(run), links(run),
        replayed(input, *assessment.dataset),
        {ReportPhrase::CheckBisect, State::Shown,
            "the bisect runs in a process of its own, after the fact"},
        checkpoints(input),
        {ReportPhrase::CheckDrills, State::Unknown, "rehearse with `firstbad drill`"}};
}

}  // namespace firstbad::core
