// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/incident_text.h"

#include "core/base/text.h"
#include "core/present/text/incident_plot.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/phrases.h"
#include "core/present/text/text_width.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr int kIndent = 11;
constexpr std::size_t kMostEvidence = 12;

void addHead(StyledText& out, const Incident& incident, const TextStyle& style)
{
    std::string facts = fmt::format(
        "{} · onset {}", attemptName(incident.attempt), groupedInteger(incident.onsetStep));
    if (incident.peakStep && *incident.peakStep != incident.onsetStep)
        facts += " · peak " + groupedInteger(*incident.peakStep);
    facts += incident.endStep ? " · end " + groupedInteger(*incident.endStep)
                              : std::string(" · to the end of the log");
    LineBuilder line(style);
    line.add(markOf(incident.verdict)).add(" ").add(incident.id, Role::Strong).padTo(5);
    line.add(toString(incident.kind), Role::Strong).add("  ");
    const std::string verdict = verdictText(incident);
    if (displayWidth(showable(facts, style)) + displayWidth(verdict) + 2 <= line.room())
        line.addFromFile(facts).right(verdict, roleOf(incident.verdict));
    else {
        line.right(verdict, roleOf(incident.verdict));
        out.push_back(line.take());
        line.padTo(5).addFromFile(facts);
    }
    out.push_back(line.take());
    addLabelled(out, style, "", 5, incident.title);
    if (!incident.run.empty())
        addLabelled(out, style, "", 5, "run " + incident.run, Role::Muted);
}

/// The sentence, and the place it comes from at the right edge of its last line.
void addEvidence(StyledText& out, const TextStyle& style, std::string_view label,
    const std::vector<Evidence>& items)
{
    for (std::size_t i = 0; i < std::min(items.size(), kMostEvidence); ++i) {
        const std::string place = showable(escapedForTerminal(placeText(items[i])), style);
        const std::string shownPlace
            = cutFrontToWidth(place, style.columns / 3, showable("…", style));
        addLabelled(out, style, i == 0 ? label : "", kIndent, items[i].what);
        const int used = displayWidth(plainText(out.back()));
        if (shownPlace.empty())
            continue;
        const int blanks = style.columns - used - displayWidth(shownPlace);
        if (blanks >= 2)
            out.back().push_back({std::string(static_cast<std::size_t>(blanks), ' '), Role::Plain});
        else
            out.push_back(
                {{std::string(
                      static_cast<std::size_t>(style.columns - displayWidth(shownPlace)), ' '),
                    Role::Plain}});
        out.back().push_back({shownPlace, Role::Muted});
    }
    if (items.size() > kMostEvidence)
        addLabelled(out, style, "", kIndent,
            fmt::format("{} more with --json", items.size() - kMostEvidence), Role::Muted);
}

void addReasoning(StyledText& out, const Incident& incident, const TextStyle& style)
{
    addEvidence(out, style, "for", incident.evidence);
    addEvidence(out, style, "against", incident.against);
    for (std::size_t i = 0; i < incident.unknown.size(); ++i) {
        addLabelled(out, style, i == 0 ? "unknown" : "", kIndent, incident.unknown[i].question);
        if (!incident.unknown[i].settleBy.empty())
            addLabelled(out, style, "", kIndent, "settled by: " + incident.unknown[i].settleBy,
                Role::Muted);
    }
    for (std::size_t i = 0; i < incident.hypotheses.size(); ++i)
        addLabelled(out, style, i == 0 ? "perhaps" : "", kIndent,
            fmt::format("{}: {}", incident.hypotheses[i].cause, incident.hypotheses[i].evidence));
}

std::string outcomeText(const Incident& incident)
{
    if (!incident.recovered)
        return {};
    std::string text = *incident.recovered ? "recovered" : "not recovered";
    if (incident.halfLifeSteps)
        text += fmt::format(", half-life {} steps", shortNumber(*incident.halfLifeSteps, 3));
    return text;
}

void addConclusion(StyledText& out, const Incident& incident, const TextStyle& style)
{
    if (incident.firstBad) {
        std::string text
            = incident.firstBad->step ? "step " + groupedInteger(*incident.firstBad->step) : "";
        if (const std::string place = locusText(*incident.firstBad); !place.empty())
            text += (text.empty() ? "" : " · ") + place;
        addLabelled(out, style, incident.firstBad->certain ? "first bad" : "first seen", kIndent,
            text, Role::Strong);
    }
    if (const std::string outcome = outcomeText(incident); !outcome.empty())
        addLabelled(out, style, "outcome", kIndent, outcome);
    if (incident.restoreBeforeStep)
        addLabelled(out, style, "restore", kIndent,
            "at or before " + groupedInteger(*incident.restoreBeforeStep), Role::Strong);
    std::string related;
    for (const std::string& id : incident.related)
        related += (related.empty() ? "" : ", ") + id;
    if (!related.empty())
        addLabelled(out, style, "see also", kIndent, "incident " + related);
}

}  // namespace

StyledText incidentText(const PlacedIncident& placed, const TextStyle& style)
{
    StyledText out;
    addHead(out, *placed.incident, style);
    out.emplace_back();
    const auto plot = incidentPlot(*placed.run->run, *placed.incident);
    if (plot) {
        const StyledText drawn = drawPlot(*plot, style);
        out.insert(out.end(), drawn.begin(), drawn.end());
        out.emplace_back();
    }
    addReasoning(out, *placed.incident, style);
    addConclusion(out, *placed.incident, style);
    return out;
}

}  // namespace firstbad::core
