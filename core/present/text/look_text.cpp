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

/// Where an attempt came from and how it ended: " from a6/33,400, stopped by a signal".
std::string fateText(const Run& run, const Attempt& attempt)
{
    std::string text;
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

std::string attemptText(const Run& run, const Attempt& attempt)
{
    return fmt::format("attempt {}: {}{}", attempt.id.value,
        stepRange(attempt.firstStep, attempt.lastStep), fateText(run, attempt));
}

void addAttempts(StyledText& out, const Run& run, const TextStyle& style, int indent, bool verbose)
{
    constexpr std::size_t kShown = 3;
    const std::size_t count = run.attempts.size();
    if (count < 2)
        return;  // the line of the run says it all
    const std::size_t shown = verbose ? count : std::min(count, kShown);
    if (shown < count)
        addLabelled(out, style, "", indent,
            fmt::format("{} with -v", counted(count - shown, "earlier attempt")), Role::Muted);
    for (std::size_t i = count - shown; i < count; ++i)
        addLabelled(out, style, "", indent, attemptText(run, run.attempts[i]));
}

void addRunHead(StyledText& out, const Run& run, const std::string& runName, const Dataset& dataset,
    const TextStyle& style, bool verbose)
{
    constexpr int kWidestIndent = 24;
    LineBuilder line(style);
    const std::string name = cutFrontToWidth(
        showable(escapedForTerminal(runName), style), style.columns - 4, showable("…", style));
    line.add("run " + name, Role::Strong);
    const int indent = line.width() + 3 > kWidestIndent ? kLabel : line.width() + 3;
    std::string facts = counted(run.attempts.size(), "attempt") + " · " + runSteps(run);
    if (run.attempts.size() == 1)
        facts += fateText(run, run.attempts[0]);
    if (const std::string formats = formatsOf(run, dataset); !formats.empty())
        facts += " · " + formats;
    constexpr std::size_t kManySeries = 40;
    if (run.series.size() > kManySeries)
        facts += fmt::format(
            " · {} series", groupedInteger(static_cast<long long>(run.series.size())));
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

void addComparisons(StyledText& out, const Look& look, const std::vector<std::string>& names,
    const TextStyle& style)
{
    constexpr std::size_t kMostRuns = 3;
    const auto& runs = look.assessment.dataset->runs;
    if (runs.size() > kMostRuns)
        return;  // many runs are seldom meant to be compared; --json has all
    const auto nameOf = [&](const std::string& id) {
        const auto found = std::find_if(
            runs.begin(), runs.end(), [&](const RunPtr& run) { return run->id.value == id; });
        return found == runs.end() ? id : names[static_cast<std::size_t>(found - runs.begin())];
    };
    bool first = true;
    for (const Comparison& comparison : look.comparisons) {
        if (!comparison.step)
            continue;
        addLabelled(out, style, first ? "compare" : "", kLabel + 1,
            fmt::format("{}: {} is {} times {} (median of {} common steps), first apart at {}",
                comparison.quantity, nameOf(comparison.other), shortNumber(comparison.ratio, 3),
                nameOf(comparison.run),
                groupedInteger(static_cast<long long>(comparison.commonSteps)),
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
    for (const NextCommand& next : look.next) {
        LineBuilder line(style);
        line.add(&next == look.next.data() ? "next" : "", Role::Muted).padTo(kLabel);
        line.addFromFile(next.command, Role::Command);
        const int column = kLabel + commands + 3;
        const bool fits = line.width() < column && column + displayWidth(next.why) <= style.columns;
        if (!fits)
            out.push_back(line.take());
        addWrapped(out, style, line, fits ? column : kLabel + 2, next.why, Role::Muted);
    }
}

}  // namespace

StyledText lookText(const Look& look, const TextStyle& style, bool verbose)
{
    StyledText out;
    const Assessment& assessment = look.assessment;
    const std::vector<std::string> names = distinctNames(assessment.dataset->runs);
    for (std::size_t i = 0; i < assessment.runs.size(); ++i) {
        const Run& run = *assessment.runs[i].run;
        addRunHead(out, run, names[i], *assessment.dataset, style, verbose);
        addInterventions(out, run, style, verbose);
    }
    if (assessment.runs.empty())
        out.push_back(
            LineBuilder(style).add("no run found: no source gave a step with a value").take());
    const StyledText incidents = incidentListText(assessment, style, {1, verbose});
    if (!incidents.empty())
        out.emplace_back();
    out.insert(out.end(), incidents.begin(), incidents.end());
    StyledText rest;
    addSaves(rest, look, style, verbose);
    addComparisons(rest, look, names, style);
    addNext(rest, look, style);
    addNotes(rest, *assessment.dataset, style, kLabel, verbose);
    if (!rest.empty())
        out.emplace_back();
    out.insert(out.end(), rest.begin(), rest.end());
    return out;
}

}  // namespace firstbad::core
