// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/look_text.h"

#include "core/base/text.h"
#include "core/present/text/incident_list_text.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/notes_text.h"
#include "core/present/text/phrases.h"
#include "core/present/text/text_width.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace firstbad::core {
namespace {

constexpr int kLabel = 7;  // column of everything that stands right of a label

/// Smallest and largest step of all attempts.
std::string runSteps(const Run& run)
{
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> last;
    for (const Attempt& attempt : run.attempts) {
        if (attempt.firstStep && (!first || *attempt.firstStep < *first))
            first = attempt.firstStep;
        if (attempt.lastStep && (!last || *attempt.lastStep > *last))
            last = attempt.lastStep;
    }
    const std::string range = stepRange(first, last);
    return range.rfind("step", 0) == 0 || !first ? range : "steps " + range;
}

/// The formats of the sources that gave points to this run, in the order of the data set.
std::string formatsOf(const Run& run, const Dataset& dataset)
{
    std::set<std::uint32_t> used;
    for (const Series& series : run.series) {
        for (const auto& column : series.columns) {
            if (!column)
                continue;
            for (const SourceSpan& span : column->sources)
                used.insert(span.source);
        }
    }
    for (const LogEvent& event : run.events)
        used.insert(event.source);
    std::vector<std::string> formats;
    for (const std::uint32_t source : used) {
        if (source >= dataset.sources.size())
            continue;
        const std::string& format = dataset.sources[source].format;
        if (std::find(formats.begin(), formats.end(), format) == formats.end())
            formats.push_back(format);
    }
    std::string text;
    for (const std::string& format : formats)
        text += (text.empty() ? "" : ", ") + format;
    return text;
}

std::string attemptText(const Run& run, const Attempt& attempt)
{
    std::string text = fmt::format(
        "attempt {}: {}", attempt.id.value, stepRange(attempt.firstStep, attempt.lastStep));
    if (attempt.resumedFrom) {
        const std::string parent
            = attempt.parent ? attemptName(run.attempts[*attempt.parent].id.value) + "/" : "";
        text += fmt::format(" from {}{}", parent, groupedInteger(attempt.resumedFrom->step));
    }
    if (const std::string end = endText(attempt.endedHow); !end.empty())
        text += ", " + end;
    if (attempt.givenUpFrom)
        text += fmt::format("; given up from {}", groupedInteger(*attempt.givenUpFrom));
    return text;
}

bool isWorthTelling(const Run& run)
{
    return run.attempts.size() > 1
        || std::any_of(run.attempts.begin(), run.attempts.end(), [](const Attempt& attempt) {
               return attempt.endedHow != AttemptEnd::Unknown || attempt.resumedFrom;
           });
}

void addAttempts(StyledText& out, const Run& run, const TextStyle& style, int indent, bool verbose)
{
    constexpr std::size_t kShown = 3;
    if (!isWorthTelling(run))
        return;
    const std::size_t count = run.attempts.size();
    const std::size_t shown = verbose ? count : std::min(count, kShown);
    if (shown < count)
        addLabelled(out, style, "", indent,
            fmt::format("{} with -v", counted(count - shown, "earlier attempt")), Role::Muted);
    for (std::size_t i = count - shown; i < count; ++i)
        addLabelled(out, style, "", indent, attemptText(run, run.attempts[i]));
}

void addRunHead(StyledText& out, const RunAssessment& assessed, const Dataset& dataset,
    const TextStyle& style, bool verbose)
{
    constexpr int kWidestIndent = 24;
    const Run& run = *assessed.run;
    LineBuilder line(style);
    const std::string name = showable(escapedForTerminal(run.id.value), style);
    line.add("run", Role::Strong);
    if (!name.empty())
        line.add(" ").add(
            cutFrontToWidth(name, style.columns - 4, showable("…", style)), Role::Strong);
    const int indent = std::min(line.width() + 3, kWidestIndent);
    std::string facts = counted(run.attempts.size(), "attempt") + " · " + runSteps(run);
    if (const std::string formats = formatsOf(run, dataset); !formats.empty())
        facts += " · " + formats;
    addWrapped(out, style, line, indent, facts);
    addAttempts(out, run, style, indent, verbose);
}

void addInterventions(StyledText& out, const Run& run, const TextStyle& style, bool verbose)
{
    constexpr std::size_t kShown = 4;
    std::vector<const LogEvent*> told;
    for (const LogEvent& event : run.events) {
        if (event.kind == EventKind::Intervention || event.kind == EventKind::DataChange
            || event.kind == EventKind::StatedIncident || event.kind == EventKind::GivenUp)
            told.push_back(&event);
    }
    const std::size_t shown = verbose ? told.size() : std::min(told.size(), kShown);
    for (std::size_t i = 0; i < shown; ++i) {
        std::string text = told[i]->step ? groupedInteger(*told[i]->step) + "  " : std::string();
        text += told[i]->text;
        addLabelled(out, style, i == 0 ? "told" : "", kLabel,
            verbose ? text : cutToWidth(text, style.columns - kLabel - 2));
    }
    if (shown < told.size())
        addLabelled(out, style, "", kLabel, fmt::format("{} more with -v", told.size() - shown),
            Role::Muted);
}

void addSaves(StyledText& out, const Look& look, const TextStyle& style, bool verbose)
{
    constexpr std::size_t kShown = 5;
    const std::size_t shown = verbose ? look.saves.size() : std::min(look.saves.size(), kShown);
    for (std::size_t i = 0; i < shown; ++i) {
        const FoundSave& save = look.saves[i];
        const int nameWidth
            = std::max(style.columns - kLabel - 12 - displayWidth(save.because), 16);
        LineBuilder line(style);
        line.add(i == 0 ? "saves" : "", Role::Muted).padTo(kLabel);
        line.add(cutFrontToWidth(showable(escapedForTerminal(save.artifact->path), style),
                     nameWidth, showable("…", style)))
            .add(" ");
        line.add(Mark::Suspect).add(" suspect  ", Role::Suspect);
        line.add(save.because);
        out.push_back(line.take());
    }
    if (shown < look.saves.size())
        addLabelled(out, style, "", kLabel,
            fmt::format("{} more with -v", look.saves.size() - shown), Role::Muted);
    for (const FoundArtifact& capsule : look.assessment.dataset->capsules)
        addLabelled(out, style, "capsule", kLabel + 1, capsule.path);
}

void addComparisons(StyledText& out, const Look& look, const TextStyle& style)
{
    bool first = true;
    for (const Comparison& comparison : look.comparisons) {
        if (!comparison.step)
            continue;
        addLabelled(out, style, first ? "compare" : "", kLabel + 1,
            fmt::format(
                "{} of {} is {} times that of {} (median of {} common steps), apart from step {}",
                comparison.quantity, comparison.other, shortNumber(comparison.ratio, 3),
                comparison.run, groupedInteger(static_cast<long long>(comparison.commonSteps)),
                groupedInteger(*comparison.step)));
        first = false;
    }
}

void addNext(StyledText& out, const Look& look, const TextStyle& style)
{
    constexpr int kWidestCommand = 40;
    int commands = 0;
    for (const NextCommand& next : look.next) {
        const int width = displayWidth(next.command);
        commands = width <= kWidestCommand ? std::max(commands, width) : commands;
    }
    const int column = kLabel + commands + 3;
    for (const NextCommand& next : look.next) {
        LineBuilder line(style);
        line.add(&next == look.next.data() ? "next" : "", Role::Muted).padTo(kLabel);
        line.addFromFile(next.command, Role::Command);
        addWrapped(out, style, line, column, next.why, Role::Muted);
    }
}

}  // namespace

StyledText lookText(const Look& look, const TextStyle& style, bool verbose)
{
    StyledText out;
    const Assessment& assessment = look.assessment;
    for (const RunAssessment& run : assessment.runs) {
        addRunHead(out, run, *assessment.dataset, style, verbose);
        addInterventions(out, *run.run, style, verbose);
    }
    if (assessment.runs.empty())
        out.push_back(
            LineBuilder(style).add("no run found: no source gave a step with a value").take());
    out.emplace_back();
    IncidentListOptions options;
    options.detailed = 1;
    options.verbose = verbose;
    const StyledText incidents = incidentListText(assessment, style, options);
    out.insert(out.end(), incidents.begin(), incidents.end());
    StyledText rest;
    addSaves(rest, look, style, verbose);
    addComparisons(rest, look, style);
    addNext(rest, look, style);
    addNotes(rest, *assessment.dataset, style, kLabel, verbose);
    if (!rest.empty())
        out.emplace_back();
    out.insert(out.end(), rest.begin(), rest.end());
    return out;
}

}  // namespace firstbad::core
