// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/incident_json.h"

#include "core/base/json_lists.h"
#include "core/present/json/json_members.h"

namespace firstbad::core {
namespace {

void writeEvidence(JsonWriter& json, std::string_view name, const std::vector<Evidence>& items)
{
    json.key(name);
    json.beginArray();
    for (const Evidence& evidence : items) {
        json.beginObject();
        json.member("what", evidence.what);
        textMember(json, "series", evidence.series);
        json.member("step", evidence.step);
        json.member("value", evidence.value);
        textMember(json, "source", evidence.source);
        json.member("line", evidence.line);
        json.endObject();
    }
    json.endArray();
}

void writeLocus(JsonWriter& json, const std::optional<Locus>& locus)
{
    json.key("first_bad");
    if (!locus) {
        json.null();
        return;
    }
    json.beginObject();
    json.member("step", locus->step);
    json.member("micro_step", locus->microStep);
    json.member("rank", locus->rank ? std::optional<std::int64_t>(*locus->rank) : std::nullopt);
    textMember(json, "lane", locus->lane);
    textMember(json, "stage", locus->stage);
    textMember(json, "op", locus->op);
    textMember(json, "tensor", locus->tensor);
    json.member("certain", locus->certain);
    json.endObject();
}

void writeReasoning(JsonWriter& json, const Incident& incident)
{
    writeUnknowns(json, incident.unknown);
    json.key("hypotheses");
    json.beginArray();
    for (const Hypothesis& hypothesis : incident.hypotheses) {
        json.beginObject();
        json.member("cause", hypothesis.cause);
        json.member("evidence", hypothesis.evidence);
        json.endObject();
    }
    json.endArray();
    writeList(json, "related", incident.related);
}

}  // namespace

void writeUnknowns(JsonWriter& json, const std::vector<Unknown>& unknowns)
{
    json.key("unknown");
    json.beginArray();
    for (const Unknown& unknown : unknowns) {
        json.beginObject();
        json.member("question", unknown.question);
        json.member("settle_by", unknown.settleBy);
        json.endObject();
    }
    json.endArray();
}

void writeIncident(JsonWriter& json, const Incident& incident)
{
    json.beginObject();
    json.member("id", incident.id);
    json.member("kind", toString(incident.kind));
    json.member("class", toString(incident.verdict));
    json.member("title", incident.title);
    json.member("run", incident.run);
    json.member("attempt", incident.attempt);
    json.member("onset_step", incident.onsetStep);
    json.member("peak_step", incident.peakStep);
    json.member("end_step", incident.endStep);
    json.member("severity", toString(incident.severity));
    json.member("confidence", incident.confidence);
    writeEvidence(json, "evidence", incident.evidence);
    writeEvidence(json, "against", incident.against);
    writeLocus(json, incident.firstBad);
    json.member("restore_before_step", incident.restoreBeforeStep);
    json.member("half_life_steps", incident.halfLifeSteps);
    json.member("recovered", incident.recovered);
    writeReasoning(json, incident);
    json.endObject();
}

std::string incidentsJson(const std::vector<PlacedIncident>& incidents)
{
    JsonWriter json;
    json.beginObject();
    json.key("incidents");
    json.beginArray();
    for (const PlacedIncident& placed : incidents)
        writeIncident(json, *placed.incident);
    json.endArray();
    json.endObject();
    return json.take();
}

std::string incidentsJson(const Assessment& assessment)
{
    return incidentsJson(incidentsInOrder(assessment));
}

}  // namespace firstbad::core
