// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/merge.h"

#include "core/base/value_kind.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::int64_t kTogether = 5;  // points between the norm and the loss that follows it

bool isSpike(IncidentKind kind)
{
    return kind == IncidentKind::LossSpike || kind == IncidentKind::GradSpike;
}

/// Norm and loss leave their level together: one incident, named by the loss.
bool belongTogether(const Finding& a, const Finding& b, std::int64_t stride)
{
    return isSpike(a.kind) && isSpike(b.kind) && a.attempt == b.attempt && a.rank == b.rank
        && a.kind != b.kind && std::abs(a.onsetStep - b.onsetStep) <= kTogether * stride;
}

void absorb(Finding& into, Finding& other)
{
    const bool otherLeads = other.onsetStep < into.onsetStep;
    if (other.kind == IncidentKind::LossSpike) {
        into.kind = other.kind;
        into.verdict = other.verdict;
        into.title = other.title;
        into.peakStep = other.peakStep;
        into.recovered = other.recovered;
        into.endStep = other.endStep;
        into.halfLifeSteps = other.halfLifeSteps;
    }
    into.onsetStep = std::min(into.onsetStep, other.onsetStep);
    into.confidence = std::max(into.confidence, other.confidence);
    auto place = otherLeads ? into.evidence.begin() : into.evidence.end();
    into.evidence.insert(place, other.evidence.begin(), other.evidence.end());
    into.against.insert(into.against.end(), other.against.begin(), other.against.end());
}

std::vector<Finding> joined(const RunView& run, std::vector<Finding> findings)
{
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return std::pair(a.attempt, a.onsetStep) < std::pair(b.attempt, b.onsetStep);
    });
    std::vector<Finding> kept;
    for (Finding& finding : findings) {
        const std::int64_t stride = run.attempts[finding.attempt].interval;
        const auto partner = std::find_if(kept.rbegin(), kept.rend(),
            [&](const Finding& one) { return belongTogether(one, finding, stride); });
        if (partner != kept.rend())
            absorb(*partner, finding);
        else
            kept.push_back(std::move(finding));
    }
    return kept;
}

Severity severityOf(const Finding& finding)
{
    if (finding.verdict == IncidentClass::Benign)
        return Severity::Info;
    if (finding.verdict == IncidentClass::Unknown)
        return Severity::Warning;
    const bool healed = isSpike(finding.kind) && finding.recovered.value_or(false);
    return healed ? Severity::Warning : Severity::Error;
}

/// Finite is not healthy: the margin grows with the time between the first sign and what it led to.
/// `findings` are in order of attempt and onset.
void addRestoreSteps(std::vector<Finding>& findings, const Settings& settings)
{
    constexpr std::int64_t kFollows = 200;  // steps within which one fault may lead to the next
    const auto least = static_cast<std::int64_t>(settings.get("restore.margin_steps"));
    std::size_t begin = 0;
    std::int64_t sign = 0;
    std::int64_t latest = 0;
    const auto close = [&](std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (findings[i].verdict == IncidentClass::Fault)
                findings[i].restoreBeforeStep
                    = std::max<std::int64_t>(0, sign - std::max(least, 2 * (latest - sign)));
        }
        begin = end;
    };
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const Finding& now = findings[i];
        if (now.verdict != IncidentClass::Fault)
            continue;
        const std::int64_t from = now.damageFrom.value_or(now.onsetStep);
        const bool chained = begin < i && latest != 0 && findings[begin].attempt == now.attempt
            && now.onsetStep - latest <= kFollows;
        if (!chained) {
            close(i);
            sign = from;
        }
        sign = std::min(sign, from);
        latest = now.onsetStep;
    }
    close(findings.size());
}

Incident incidentFrom(const RunView& run, const std::vector<SourceInfo>& sources, Finding finding)
{
    Incident incident;
    incident.kind = finding.kind;
    incident.verdict = finding.verdict;
    incident.severity = severityOf(finding);
    incident.confidence = finding.confidence;
    incident.title = std::move(finding.title);
    incident.run = run.run->id.value;
    incident.attempt = run.run->attempts[finding.attempt].id.value;
    incident.onsetStep = finding.onsetStep;
    incident.peakStep = finding.peakStep;
    incident.endStep = finding.endStep;
    incident.recovered = finding.recovered;
    incident.halfLifeSteps = finding.halfLifeSteps;
    incident.evidence = std::move(finding.evidence);
    incident.against = std::move(finding.against);
    incident.unknown = std::move(finding.unknown);
    incident.firstBad = std::move(finding.firstBad);
    incident.restoreBeforeStep = finding.restoreBeforeStep;
    incident.hypotheses = std::move(finding.hypotheses);
    for (auto* list : {&incident.evidence, &incident.against}) {
        for (Evidence& evidence : *list) {
            if (evidence.sourceIndex && *evidence.sourceIndex < sources.size())
                evidence.source = sources[*evidence.sourceIndex].path;
        }
    }
    return incident;
}

int rankOf(const Incident& incident)
{
    const int byClass = incident.verdict == IncidentClass::Fault ? 0
        : incident.verdict == IncidentClass::Unknown             ? 10
                                                                 : 20;
    return byClass + (incident.severity == Severity::Error ? 0 : 1);
}

void orderAndRelate(std::vector<Incident>& incidents)
{
    std::stable_sort(incidents.begin(), incidents.end(), [](const Incident& a, const Incident& b) {
        return std::pair(rankOf(a), a.onsetStep) < std::pair(rankOf(b), b.onsetStep);
    });
    for (std::size_t i = 0; i < incidents.size(); ++i)
        incidents[i].id = std::to_string(i + 1);
    constexpr std::int64_t kNear = 50;
    constexpr std::size_t kMostRelated = 8;
    std::vector<Incident*> bySteps;
    for (Incident& incident : incidents) {
        if (incident.kind != IncidentKind::Restart)
            bySteps.push_back(&incident);
    }
    std::stable_sort(bySteps.begin(), bySteps.end(),
        [](const Incident* a, const Incident* b) { return a->onsetStep < b->onsetStep; });
    for (std::size_t i = 0; i < bySteps.size(); ++i) {
        for (std::size_t j = i + 1;
             j < bySteps.size() && bySteps[j]->onsetStep - bySteps[i]->onsetStep <= kNear
             && bySteps[i]->related.size() < kMostRelated;
             ++j) {
            if (bySteps[i]->attempt != bySteps[j]->attempt)
                continue;
            bySteps[i]->related.push_back(bySteps[j]->id);
            bySteps[j]->related.push_back(bySteps[i]->id);
        }
    }
}

}  // namespace

std::vector<Incident> mergeFindings(const RunView& run, const std::vector<SourceInfo>& sources,
    std::vector<Finding> findings, const Settings& settings)
{
    std::vector<Finding> kept = joined(run, std::move(findings));
    addRestoreSteps(kept, settings);
    std::vector<Incident> incidents;
    for (Finding& finding : kept)
        incidents.push_back(incidentFrom(run, sources, std::move(finding)));
    orderAndRelate(incidents);
    return incidents;
}

}  // namespace firstbad::core
