// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/incident/questions.h"

#include "core/base/text.h"
#include "core/present/look.h"
#include "core/present/text/phrases.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace firstbad::core {
namespace {

bool speaksOfNonfinite(const Evidence& evidence)
{
    return evidence.value && !isFinite(*evidence.value);
}

bool holdsStep(const StepRun& run, std::int64_t from, std::int64_t to)
{
    return run.from <= to && run.to >= from;
}

std::int64_t endOf(const PlacedIncident& placed)
{
    const Incident& incident = *placed.incident;
    std::int64_t last = incident.onsetStep;
    for (const Attempt& attempt : placed.run->run->attempts) {
        if (attempt.id.value == incident.attempt)
            last = attempt.lastStep.value_or(last);
    }
    return std::max(incident.endStep.value_or(last), incident.onsetStep);
}

/// The first later incident of the attempt that names a non-finite value.
const Incident* nextNonfinite(const PlacedIncident& placed)
{
    const Incident* first = nullptr;
    for (const Incident& other : placed.run->judgement.incidents) {
        const bool later = other.attempt == placed.incident->attempt && other.firstBad
            && other.firstBad->step && *other.firstBad->step >= placed.incident->onsetStep
            && other.verdict == IncidentClass::Fault;
        if (later && (first == nullptr || *other.firstBad->step < *first->firstBad->step))
            first = &other;
    }
    return first;
}

Question whereFirst(const PlacedIncident& placed)
{
    const Incident& incident = *placed.incident;
    Question question;
    std::copy_if(incident.evidence.begin(), incident.evidence.end(),
        std::back_inserter(question.evidence), speaksOfNonfinite);
    if (incident.firstBad && incident.firstBad->step) {
        const std::string place = locusText(*incident.firstBad);
        question.kind = AnswerKind::Bad;
        question.answer = fmt::format("Step {}{}{}", groupedInteger(*incident.firstBad->step),
            place.empty() ? "" : " · ", place);
        if (!incident.firstBad->certain)
            question.details.emplace_back(
                "The first that was seen; something before it may not have been logged.");
    } else {
        const Incident* next = nextNonfinite(placed);
        question.answer = next == nullptr
            ? "No non-finite value was logged."
            : fmt::format("Not in this incident; step {} follows, incident {}.",
                groupedInteger(*next->firstBad->step), next->id);
        question.kind = next == nullptr ? AnswerKind::Unknown : AnswerKind::Bad;
        question.details.push_back(
            fmt::format("The trouble begins at step {}.", groupedInteger(incident.onsetStep)));
        if (question.evidence.empty() && !incident.evidence.empty())
            question.evidence.push_back(incident.evidence.front());
    }
    question.unknown.push_back({"Which layer, op and element was the first?",
        "a ledger of the run, or a capsule of a step just before, to replay"});
    return question;
}

void addUpdates(Question& question, const PlacedIncident& placed)
{
    const std::int64_t from = placed.incident->onsetStep;
    const std::int64_t to = endOf(placed);
    const auto& runs = placed.run->judgement.audit.skippedRuns;
    std::int64_t skipped = 0;
    for (const StepRun& run : runs)
        skipped += holdsStep(run, from, to) ? run.length : 0;
    if (skipped > 0)
        question.details.push_back(fmt::format("optimizer: {} skipped between {} and {}",
            counted(static_cast<std::uint64_t>(skipped), "update"), groupedInteger(from),
            groupedInteger(to)));
    else
        question.details.emplace_back(placed.run->judgement.audit.skippedTotal
                ? "optimizer: the log counts no skipped update there"
                : "optimizer: the log does not say which updates were skipped");
}

Question howFar(const Assessment& assessment, const PlacedIncident& placed)
{
    Question question;
    std::vector<SaveVerdict> inside;
    for (const SaveVerdict& save : savesAround(assessment, placed, 1000)) {
        if (save.step >= placed.incident->onsetStep)
            inside.push_back(save);
    }
    if (inside.empty()) {
        question.answer = "No save was written from the onset on, as far as the log tells.";
        question.kind = AnswerKind::Known;
    } else {
        question.kind = AnswerKind::Bad;
        question.answer
            = fmt::format("{} written from the onset on: do not restore without a scan.",
                inside.size() == 1 ? "One save was" : fmt::format("{} saves were", inside.size()));
    }
    addUpdates(question, placed);
    question.unknown.push_back({"Did a collective carry it to other ranks?",
        "the ledgers of all ranks, joined by step and micro-step"});
    return question;
}

bool isAboutRanks(IncidentKind kind)
{
    return kind == IncidentKind::RankOrigin || kind == IncidentKind::RankDisagreement
        || kind == IncidentKind::Hang;
}

Question ranksAlike(const PlacedIncident& placed)
{
    Question question;
    for (const Incident& other : placed.run->judgement.incidents) {
        const bool near = other.attempt == placed.incident->attempt
            && other.onsetStep <= endOf(placed) + 1
            && other.onsetStep + 1 >= placed.incident->onsetStep;
        if (!isAboutRanks(other.kind) || !near)
            continue;
        question.kind = AnswerKind::Bad;
        question.answer = fmt::format("No: {}", other.title);
        question.evidence = other.evidence;
        return question;
    }
    std::set<std::int32_t> ranks;
    for (const Series& series : placed.run->run->series) {
        if (series.rank)
            ranks.insert(series.rank->value);
    }
    if (ranks.size() > 1) {
        question.kind = AnswerKind::Known;
        question.answer = fmt::format(
            "Nothing differs between the {} that were logged.", counted(ranks.size(), "rank"));
        return question;
    }
    question.answer = "Only one rank's view was read.";
    question.unknown.push_back(
        {"Did all ranks see it and skip the same updates?", "ledgers or logs of every rank"});
    return question;
}

Question reproduced(const PlacedIncident& placed)
{
    Question question;
    question.answer = "Not tried.";
    question.unknown.push_back({"Does the same step fail again, in the same place?",
        fmt::format("a capsule of step {}, then replay",
            groupedInteger(placed.incident->firstBad && placed.incident->firstBad->step
                    ? *placed.incident->firstBad->step
                    : placed.incident->onsetStep))});
    return question;
}

/// Which later attempts loaded a step that the incident had not touched, and which did not.
void addRestarts(Question& question, const PlacedIncident& placed)
{
    const auto& run = *placed.run->run;
    const auto& incident = *placed.incident;
    bool after = false;
    for (const Attempt& attempt : run.attempts) {
        if (attempt.id.value == incident.attempt) {
            after = true;
            continue;
        }
        if (!after || !attempt.resumedFrom || !incident.restoreBeforeStep)
            continue;
        const std::int64_t loaded = attempt.resumedFrom->step;
        const bool safe = loaded <= *incident.restoreBeforeStep;
        question.details.push_back(fmt::format("Attempt {} loaded {}: {}.",
            attemptName(attempt.id.value), groupedInteger(loaded),
            safe                               ? "before the incident and its margin"
                : loaded >= incident.onsetStep ? "after the onset"
                                               : "inside the margin"));
        if (!safe)
            question.kind = AnswerKind::Bad;
        return;
    }
}

Question keptOut(const Assessment& assessment, const PlacedIncident& placed)
{
    const Incident& incident = *placed.incident;
    Question question;
    question.kind = AnswerKind::Known;
    if (!incident.restoreBeforeStep) {
        question.answer = "Nothing has to be kept out because of this incident.";
        if (incident.verdict != IncidentClass::Benign) {
            question.kind = AnswerKind::Unknown;
            question.answer = "No step could be named that is safe to restore.";
        }
        return question;
    }
    question.answer
        = fmt::format("Restore at or before step {}.", groupedInteger(*incident.restoreBeforeStep));
    for (const SaveVerdict& save : savesAround(assessment, placed, 4))
        question.details.push_back(
            fmt::format("{}/{}: {}", save.attempt, groupedInteger(save.step), save.because));
    addRestarts(question, placed);
    question.unknown.push_back({"Are the saves themselves finite?", "firstbad scan of each"});
    return question;
}

std::string saveBecause(const Incident& incident, std::int64_t step, bool may)
{
    if (may)
        return fmt::format("{} steps before the onset", groupedInteger(incident.onsetStep - step));
    if (step >= incident.onsetStep)
        return "written after the onset, suspect";
    return fmt::format(
        "only {} steps before the onset, suspect", groupedInteger(incident.onsetStep - step));
}

void addSave(std::vector<SaveVerdict>& saves, const Incident& incident, std::int64_t step,
    const std::string& attempt)
{
    const bool known = std::any_of(saves.begin(), saves.end(),
        [&](const SaveVerdict& save) { return save.step == step && save.attempt == attempt; });
    if (known)
        return;
    const bool may = incident.restoreBeforeStep && step <= *incident.restoreBeforeStep;
    saves.push_back({step, attempt, may, saveBecause(incident, step, may)});
}

}  // namespace

std::vector<SaveVerdict> savesAround(
    const Assessment& assessment, const PlacedIncident& placed, std::size_t most)
{
    const Run& run = *placed.run->run;
    const Incident& incident = *placed.incident;
    std::vector<SaveVerdict> saves;
    for (std::size_t i = 0; i < run.events.size() && i < run.eventAttempt.size(); ++i) {
        const LogEvent& event = run.events[i];
        const std::size_t attempt = run.eventAttempt[i];
        const bool here
            = attempt < run.attempts.size() && run.attempts[attempt].id.value == incident.attempt;
        const bool before = event.step && *event.step < incident.onsetStep;
        if (event.kind == EventKind::Save && event.step && (here || before))
            addSave(saves, incident, *event.step, attemptName(run.attempts[attempt].id.value));
    }
    for (const FoundArtifact& artifact : assessment.dataset->checkpoints) {
        const auto step = stepInName(artifact.path);
        const bool known = step
            && std::any_of(saves.begin(), saves.end(),
                [&step](const SaveVerdict& save) { return save.step == *step; });
        if (step && !known)
            addSave(saves, incident, *step, "checkpoint");
    }
    std::stable_sort(saves.begin(), saves.end(),
        [](const SaveVerdict& a, const SaveVerdict& b) { return a.step > b.step; });
    const auto last = std::find_if(
        saves.begin(), saves.end(), [&incident, end = endOf(placed)](const SaveVerdict& save) {
            return save.step <= std::max(end, incident.onsetStep);
        });
    saves.erase(saves.begin(), last);
    // The newest one that may be restored always stays in the list.
    const auto newestSafe = std::find_if(
        saves.begin(), saves.end(), [](const SaveVerdict& save) { return save.mayBeRestored; });
    if (newestSafe != saves.end() && static_cast<std::size_t>(newestSafe - saves.begin()) >= most)
        saves.erase(saves.begin(), newestSafe - static_cast<std::ptrdiff_t>(most) + 1);
    if (saves.size() > most)
        saves.resize(most);
    return saves;
}

FiveQuestions answerQuestions(const Assessment& assessment, const PlacedIncident& placed)
{
    return {whereFirst(placed), howFar(assessment, placed), ranksAlike(placed), reproduced(placed),
        keptOut(assessment, placed)};
}

}  // namespace firstbad::core
