// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/present/text/phrases.h"
#include "core/report/checklist.h"
#include "core/report/evidence_book.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace firstbad::core {
namespace {

constexpr std::size_t kSavesShown = 8;
constexpr std::size_t kFigurePixels = 720;

Result<PlacedIncident> chooseIncident(const Assessment& assessment, const std::string& id)
{
    const auto all = incidentsInOrder(assessment);
    if (all.empty())
        return fail(ErrorCode::NotFound, "There is no incident to report.",
            "firstbad look shows what was read.");
    if (id.empty())
        return all.front();
    const auto found = std::find_if(all.begin(), all.end(),
        [&](const PlacedIncident& placed) { return placed.incident->id == id; });
    if (found == all.end())
        return fail(ErrorCode::NotFound,
            fmt::format(
                "There is no incident {}; there are {}.", escapedForTerminal(id), all.size()),
            "firstbad incidents lists them.");
    return *found;
}

/// Wall time of the onset, from the series that has one.
std::optional<double> timeOfOnset(const PlacedIncident& placed)
{
    const Run& run = *placed.run->run;
    for (std::size_t i = 0; i < run.attempts.size(); ++i) {
        if (run.attempts[i].id.value != placed.incident->attempt)
            continue;
        for (const Series& series : run.series) {
            const Column* column = series.column(i);
            if (column == nullptr || column->times.empty())
                continue;
            const auto at
                = std::find(column->steps.begin(), column->steps.end(), placed.incident->onsetStep);
            const auto point = static_cast<std::size_t>(at - column->steps.begin());
            if (at != column->steps.end() && isFinite(column->times[point]))
                return column->times[point];
        }
    }
    return std::nullopt;
}

std::string newestTime(const Dataset& dataset)
{
    std::optional<double> newest;
    const auto note = [&newest](double time) {
        if (isFinite(time) && (!newest || time > *newest))
            newest = time;
    };
    for (const RunPtr& run : dataset.runs) {
        for (const Attempt& attempt : run->attempts) {
            if (attempt.ended)
                note(*attempt.ended);
        }
        for (const LogEvent& event : run->events) {
            if (event.time)
                note(*event.time);
        }
    }
    return newest ? toIso8601(*newest) : std::string();
}

void addFacts(Report& report, const PlacedIncident& placed)
{
    const Incident& incident = *placed.incident;
    const auto add = [&report](ReportPhrase label, std::string value) {
        report.facts.push_back({label, std::move(value)});
    };
    add(ReportPhrase::KindAndClass,
        fmt::format("{}, {}", toString(incident.kind), verdictText(incident)));
    add(ReportPhrase::Onset,
        fmt::format("{} · {}", attemptName(incident.attempt), groupedInteger(incident.onsetStep)));
    if (incident.peakStep)
        add(ReportPhrase::Peak, groupedInteger(*incident.peakStep));
    if (incident.endStep)
        add(ReportPhrase::End, groupedInteger(*incident.endStep));
    if (const auto time = timeOfOnset(placed))
        add(ReportPhrase::TimeOfOnset, toIso8601(*time));
    if (incident.restoreBeforeStep)
        add(ReportPhrase::RestoreAtOrBefore, groupedInteger(*incident.restoreBeforeStep));
}

std::string inShort(const Incident& incident)
{
    std::string text = fmt::format("{}, attempt {}, from step {}", incident.title,
        attemptName(incident.attempt), groupedInteger(incident.onsetStep));
    if (incident.endStep && *incident.endStep != incident.onsetStep)
        text += fmt::format(" to {}", groupedInteger(*incident.endStep));
    text += '.';
    if (incident.recovered)
        text += *incident.recovered ? " It recovered." : " It did not recover.";
    if (incident.restoreBeforeStep)
        text += fmt::format(
            " Restore at or before {}.", groupedInteger(*incident.restoreBeforeStep));
    return text;
}

std::string placeSentence(const ReplayPlace& place)
{
    std::string text = fmt::format("{} lane, {}, {}", place.lane, place.locus, place.kind);
    if (!place.elementIndex.empty())
        text += fmt::format(" at element [{}]", fmt::join(place.elementIndex, ", "));
    return text
        + fmt::format("; inputs {}, weights {}", place.inputsFinite ? "finite" : "not finite",
            place.weightsFinite ? "finite" : "not finite");
}

/// What a replay adds to questions 1 and 4.
void answerFromReplay(FiveQuestions& questions, const ReplayResult& replay)
{
    Question& first = questions[0];
    if (replay.firstBad) {
        first.kind = AnswerKind::Bad;
        first.details.push_back(
            fmt::format("Replayed in {}: {}.", replay.precision, placeSentence(*replay.firstBad)));
        first.unknown.clear();
    }
    Question& again = questions[3];
    again.unknown.clear();
    again.kind = replay.reproduced == "yes" ? AnswerKind::Bad : AnswerKind::Known;
    if (replay.reproduced == "yes")
        again.answer = "Yes: the same lane shows the same kind of value.";
    else if (replay.reproduced == "different")
        again.answer = "It fails, but in another place or with another kind of value.";
    else
        again.answer = "No: the replay stays finite.";
    if (!replay.transience.empty())
        again.details.push_back(fmt::format("repeated: {}", replay.transience));
    for (const FidelityItem& item : replay.fidelity) {
        if (item.state != "same")
            again.details.push_back(fmt::format(
                "{}: {}{}{}", item.what, item.state, item.detail.empty() ? "" : ", ", item.detail));
    }
}

/// What recorded statuses add to question 5.
void answerFromStatuses(Question& question, const std::vector<ReportSave>& saves)
{
    for (const ReportSave& save : saves) {
        if (!save.status.empty())
            question.details.push_back(
                fmt::format("{}: {}, {}", save.name, save.status, save.because));
    }
    question.unknown.push_back(
        {"Does the launch script call the gate?", "one line in it: firstbad checkpoint gate PATH"});
}

std::vector<ReportSave> savesOf(const Assessment& assessment, const PlacedIncident& placed,
    const std::vector<StatusChange>& changes)
{
    std::map<std::string, const StatusChange*> newest;
    for (const StatusChange& change : changes)
        newest[change.checkpoint] = &change;
    std::vector<ReportSave> saves;
    for (const auto& [name, change] : newest)
        saves.push_back({name, change->after, change->reason, false});
    bool picked = false;
    for (const SaveVerdict& save : savesAround(assessment, placed, kSavesShown)) {
        saves.push_back({fmt::format("{}/{}", save.attempt, groupedInteger(save.step)), {},
            save.because, save.mayBeRestored && !picked});
        picked = picked || save.mayBeRestored;
    }
    return saves;
}

/// What the sources hide, whatever the incident.
std::vector<std::string> limitsOf(const Run& run)
{
    std::vector<std::string> limits;
    const LogTraits& traits = run.traits;
    if (traits.interval > 1)
        limits.push_back(
            fmt::format("One line in {} steps was logged: what happened between is not seen.",
                traits.interval));
    if (traits.lossMayBeFiltered)
        limits.emplace_back("The logger may replace a NaN loss by a mean or by 0.");
    if (traits.lossFieldDropsNonfinite)
        limits.emplace_back("The logger leaves the loss out where it is NaN.");
    if (traits.scaleIsRounded)
        limits.emplace_back("The loss scale is printed with few digits.");
    if (run.find(Quantity::GradNorm) == nullptr)
        limits.emplace_back("No gradient norm was logged.");
    if (run.find(Quantity::LossScale) == nullptr)
        limits.emplace_back("No loss scale was logged.");
    return limits;
}

Result<std::optional<ReportFigure>> figureOf(
    const Assessment& assessment, const PlacedIncident& placed, JobContext& job)
{
    const auto index = static_cast<std::size_t>(placed.run - assessment.runs.data());
    auto timeline = makeTimeline(assessment, index, {}, job);
    if (!timeline)
        return tl::unexpected(timeline.error());
    const auto band = std::find_if(timeline->bands.begin(), timeline->bands.end(),
        [&](const TimelineBand& one) { return one.id == placed.incident->id; });
    if (band == timeline->bands.end() || timeline->panels.empty())
        return std::nullopt;
    const StepWindow window = windowAround(
        *timeline->run, {band->from, std::max(band->to, band->firstBad.value_or(band->from))});
    TimelineView view;
    view.from = static_cast<double>(window.from);
    view.to = static_cast<double>(window.to);
    view.pixels = kFigurePixels;
    view.incident = StepWindow{band->from, band->to};
    view.incidentAttempt = band->attempt;
    auto frame = drawTimeline(*timeline, AxisMap(), view, job);
    if (!frame)
        return tl::unexpected(frame.error());
    const TimelineBand shown = *band;
    return ReportFigure{std::move(*timeline), std::move(*frame), shown};
}

void addOthers(Report& report, const Assessment& assessment, const PlacedIncident& placed)
{
    for (const PlacedIncident& other : incidentsInOrder(assessment)) {
        if (other.incident == placed.incident)
            continue;
        const Incident& incident = *other.incident;
        report.others.push_back(
            {incident.id, std::string(toString(incident.kind)), verdictText(incident),
                incident.title, attemptName(incident.attempt), incident.onsetStep});
    }
}

void addAnswers(Report& report, FiveQuestions questions, EvidenceBook& book)
{
    for (std::size_t i = 0; i < questions.size(); ++i) {
        ReportAnswer& answer = report.answers.at(i);
        for (const Evidence& evidence : questions.at(i).evidence)
            answer.evidence.push_back(book.idOf(evidence));
        answer.question = std::move(questions.at(i));
    }
}

std::string shownName(const std::string& path, bool redact)
{
    return redact ? path.substr(path.find_last_of('/') + 1) : path;
}

}  // namespace

Result<Report> makeReport(const Assessment& assessment, const ReportInput& input, JobContext& job)
{
    const auto placed = chooseIncident(assessment, input.incidentId);
    if (!placed)
        return tl::unexpected(placed.error());
    auto figure = figureOf(assessment, *placed, job);
    if (!figure)
        return tl::unexpected(figure.error());
    Report report;
    report.incident = *placed->incident;
    report.title = report.incident.title;
    report.run = shownName(report.incident.run, input.redact);
    report.caseName = shownName(input.caseName, input.redact);
    report.redacted = input.redact;
    report.inShort = inShort(report.incident);
    report.figure = std::move(*figure);
    report.replay = input.replay;
    report.matrix = input.matrix;
    report.isolate = input.isolate;
    report.saves = savesOf(assessment, *placed, input.statuses);
    report.unknown = report.incident.unknown;
    report.limits = limitsOf(*placed->run->run);
    report.checklist = makeChecklist(assessment, *placed, input);
    report.sourcesUpTo = newestTime(*assessment.dataset);
    for (ReportSave& save : report.saves)
        save.name = shownName(save.name, input.redact && !save.status.empty());
    if (!input.redact)
        report.annotations = input.annotations;
    addFacts(report, *placed);
    EvidenceBook book(*assessment.dataset, input.redact);
    FiveQuestions questions = answerQuestions(assessment, *placed);
    if (input.replay)
        answerFromReplay(questions, *input.replay);
    answerFromStatuses(questions[4], report.saves);
    addAnswers(report, std::move(questions), book);
    for (const Evidence& evidence : report.incident.evidence)
        static_cast<void>(book.idOf(evidence));
    for (const Evidence& evidence : report.incident.against)
        report.against.push_back(fmt::format("{} ({})", evidence.what, book.idOf(evidence)));
    report.evidence = book.take();
    addOthers(report, assessment, *placed);
    return report;
}

}  // namespace firstbad::core
