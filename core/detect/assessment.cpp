// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/assessment.h"

#include "core/base/number.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace firstbad::core {
namespace {

int classRank(IncidentClass verdict) noexcept
{
    switch (verdict) {
    case IncidentClass::Fault:
        return 0;
    case IncidentClass::Unknown:
        return 1;
    case IncidentClass::Benign:
        break;
    }
    return 2;
}

bool isWorse(const Incident& a, const Incident& b) noexcept
{
    if (a.verdict != b.verdict)
        return classRank(a.verdict) < classRank(b.verdict);
    if (a.severity != b.severity)
        return a.severity > b.severity;
    return a.confidence > b.confidence;
}

using NewIds = std::unordered_map<std::string, std::string>;

void renameIn(std::vector<Incident>& incidents, const NewIds& ids)
{
    for (Incident& incident : incidents) {
        for (std::string& related : incident.related) {
            if (const auto found = ids.find(related); found != ids.end())
                related = found->second;
        }
        incident.id = ids.at(incident.id);
    }
}

}  // namespace

void numberIncidents(std::vector<RunAssessment>& runs)
{
    std::vector<std::size_t> next(runs.size(), 0);
    std::vector<NewIds> ids(runs.size());
    for (int number = 1;; ++number) {
        // The judge's order within a run stays; runs are merged by their worst incident left.
        const Incident* worst = nullptr;
        std::size_t from = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const auto& incidents = runs[i].judgement.incidents;
            if (next[i] < incidents.size()
                && (worst == nullptr || isWorse(incidents[next[i]], *worst))) {
                worst = &incidents[next[i]];
                from = i;
            }
        }
        if (worst == nullptr)
            break;
        ids[from].emplace(worst->id, std::to_string(number));
        ++next[from];
    }
    for (std::size_t i = 0; i < runs.size(); ++i)
        renameIn(runs[i].judgement.incidents, ids[i]);
}

std::vector<PlacedIncident> incidentsInOrder(const Assessment& assessment)
{
    std::vector<std::pair<std::int64_t, PlacedIncident>> numbered;
    for (const RunAssessment& run : assessment.runs) {
        for (const Incident& incident : run.judgement.incidents)
            numbered.push_back({parseInteger(incident.id).value_or(0), {&run, &incident}});
    }
    std::stable_sort(numbered.begin(), numbered.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<PlacedIncident> ordered;
    ordered.reserve(numbered.size());
    for (const auto& entry : numbered)
        ordered.push_back(entry.second);
    return ordered;
}

}  // namespace firstbad::core
