// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/incident_list_text.h"

#include "core/base/text.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/phrases.h"
#include "core/present/text/text_width.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace firstbad::core {
namespace {

constexpr int kIndent = 5;  // "! 1  "
constexpr std::size_t kMostListed = 12;

struct ListLayout {
    int kindWidth = 0;
    bool severalRuns = false;
    bool severalAttempts = false;
};

std::string placeOf(const PlacedIncident& placed, const ListLayout& layout)
{
    std::string place;
    if (layout.severalAttempts)
        place = attemptName(placed.incident->attempt) + "  ";
    return place + groupedInteger(placed.incident->onsetStep);
}

/// Mark, number, kind, place, then the title as far as it fits, the verdict at the right edge.
void addHeadLine(StyledText& out, const PlacedIncident& placed, const TextStyle& style,
    const ListLayout& layout, bool titleBelow)
{
    const Incident& incident = *placed.incident;
    const std::string verdict = verdictText(incident);
    LineBuilder line(style);
    line.add(markOf(incident.verdict)).add(" ").add(incident.id, Role::Strong).padTo(kIndent);
    line.add(toString(incident.kind), Role::Strong).padTo(kIndent + layout.kindWidth + 2);
    line.add(placeOf(placed, layout)).padTo(line.width() + 3);
    const int room = line.room() - displayWidth(verdict) - 2;
    const std::string title = showable(escapedForTerminal(incident.title), style);
    if (!titleBelow && displayWidth(title) <= room)
        line.add(title);
    line.right(verdict, roleOf(incident.verdict));
    out.push_back(line.take());
    if (titleBelow || displayWidth(title) > room)
        addLabelled(out, style, "", kIndent, incident.title);
}

void addDetails(StyledText& out, const PlacedIncident& placed, const TextStyle& style)
{
    constexpr std::size_t kMostEvidence = 3;
    const Incident& incident = *placed.incident;
    for (std::size_t i = 0; i < std::min(incident.evidence.size(), kMostEvidence); ++i) {
        if (incident.evidence[i].what != incident.title)
            addLabelled(out, style, "", kIndent, incident.evidence[i].what);
    }
    if (incident.firstBad) {
        const std::string place = locusText(*incident.firstBad);
        std::string text = incident.firstBad->certain ? "first bad  " : "first seen  ";
        if (incident.firstBad->step)
            text += "step " + groupedInteger(*incident.firstBad->step)
                + (place.empty() ? "" : " · ");
        addLabelled(out, style, "", kIndent, text + place);
    }
    if (incident.restoreBeforeStep)
        addLabelled(out, style, "", kIndent,
            fmt::format("restore at or before {}", groupedInteger(*incident.restoreBeforeStep)),
            Role::Strong);
    if (!incident.unknown.empty()) {
        const Unknown& unknown = incident.unknown.front();
        addLabelled(out, style, "", kIndent,
            fmt::format("unknown: {}{}{}", unknown.question,
                unknown.settleBy.empty() ? "" : "; settled by ", unknown.settleBy),
            Role::Muted);
    }
}

/// Benign ones are only counted, but for numbers that look wrong to whoever sees the log.
bool isListed(const Incident& incident)
{
    return incident.verdict != IncidentClass::Benign
        || incident.kind == IncidentKind::DisplayArtefact || incident.kind == IncidentKind::None;
}

void addBenignSummary(
    StyledText& out, const std::vector<PlacedIncident>& incidents, const TextStyle& style)
{
    std::map<std::string_view, int> kinds;
    int total = 0;
    for (const PlacedIncident& placed : incidents) {
        if (isListed(*placed.incident))
            continue;
        ++kinds[toString(placed.incident->kind)];
        ++total;
    }
    if (total == 0)
        return;
    LineBuilder line(style);
    std::string text = fmt::format(" {} benign: ", total);
    bool first = true;
    for (const auto& [kind, count] : kinds) {
        text += fmt::format(
            "{}{}{}", first ? "" : ", ", kind, count > 1 ? fmt::format(" ×{}", count) : "");
        first = false;
    }
    line.add(Mark::Benign).add(text, Role::Muted);
    out.push_back(line.take());
}

ListLayout layoutFor(const Assessment& assessment, const std::vector<PlacedIncident>& incidents)
{
    ListLayout layout;
    for (const PlacedIncident& placed : incidents)
        layout.kindWidth
            = std::max(layout.kindWidth, displayWidth(toString(placed.incident->kind)));
    layout.severalRuns = assessment.runs.size() > 1;
    layout.severalAttempts = std::any_of(assessment.runs.begin(), assessment.runs.end(),
        [](const RunAssessment& run) { return run.run->attempts.size() > 1; });
    return layout;
}

const std::string& nameOf(const PlacedIncident& placed, const Assessment& assessment,
    const std::vector<std::string>& names)
{
    return names[static_cast<std::size_t>(placed.run - assessment.runs.data())];
}

void addRunName(StyledText& out, const std::string& name, const TextStyle& style)
{
    const std::string shown = cutFrontToWidth(showable(escapedForTerminal(name), style),
        style.columns - kIndent - 4, showable("…", style));
    LineBuilder line(style);
    out.push_back(line.padTo(kIndent).add("run " + shown, Role::Muted).take());
}

}  // namespace

StyledText incidentListText(
    const Assessment& assessment, const TextStyle& style, const IncidentListOptions& options)
{
    StyledText out;
    const std::vector<PlacedIncident> incidents = incidentsInOrder(assessment);
    const ListLayout layout = layoutFor(assessment, incidents);
    const std::vector<std::string> names = distinctNames(assessment.dataset->runs);
    std::size_t listed = 0;
    std::size_t left = 0;
    for (const PlacedIncident& placed : incidents) {
        if (!isListed(*placed.incident) && !options.verbose)
            continue;
        if (listed >= kMostListed && !options.verbose) {
            ++left;
            continue;
        }
        const bool detailed = listed < options.detailed || options.verbose;
        addHeadLine(out, placed, style, layout, detailed);
        if (layout.severalRuns)
            addRunName(out, nameOf(placed, assessment, names), style);
        if (detailed)
            addDetails(out, placed, style);
        ++listed;
    }
    if (left > 0)
        addLabelled(out, style, "", kIndent,
            fmt::format("{} more with -v", counted(left, "incident")), Role::Muted);
    if (!options.verbose)
        addBenignSummary(out, incidents, style);
    if (incidents.empty() && !assessment.runs.empty())
        out.push_back(
            LineBuilder(style).add("no incident found in what these sources show").take());
    return out;
}

}  // namespace firstbad::core
