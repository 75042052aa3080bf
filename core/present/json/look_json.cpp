// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/look_json.h"

#include "core/base/time.h"
#include "core/present/json/incident_json.h"
#include "core/present/json/json_members.h"
#include "core/present/json/series_json.h"
#include "core/present/json/source_json.h"

namespace firstbad::core {
namespace {

constexpr std::size_t kMostEvents = 2000;

void timeMember(JsonWriter& json, std::string_view name, const std::optional<double>& time)
{
    textMember(json, name, time ? toIso8601(*time) : std::string());
}

void writeAttempt(JsonWriter& json, const Run& run, const Attempt& attempt)
{
    json.beginObject();
    json.member("id", attempt.id.value);
    json.member("first_step", attempt.firstStep);
    json.member("last_step", attempt.lastStep);
    timeMember(json, "started", attempt.started);
    timeMember(json, "ended", attempt.ended);
    json.member("ended_how", toString(attempt.endedHow));
    json.key("resumed_from");
    if (attempt.resumedFrom) {
        json.beginObject();
        json.member("step", attempt.resumedFrom->step);
        textMember(json, "path", attempt.resumedFrom->path);
        json.endObject();
    } else {
        json.null();
    }
    json.key("parent_attempt");
    if (attempt.parent)
        json.value(run.attempts[*attempt.parent].id.value);
    else
        json.null();
    textMember(json, "why", attempt.why);
    json.member("given_up_from", attempt.givenUpFrom);
    json.endObject();
}

/// Scale moves are many and are seen in the series; everything else that the source tells is kept.
bool isTold(const LogEvent& event) noexcept
{
    return event.kind != EventKind::Overflow && event.kind != EventKind::ScaleChange
        && event.kind != EventKind::GradOverflow;
}

void writeEvent(JsonWriter& json, const Run& run, std::size_t index, const Dataset& dataset)
{
    const LogEvent& event = run.events[index];
    json.beginObject();
    json.member("kind", toString(event.kind));
    json.key("attempt");
    if (index < run.eventAttempt.size() && run.eventAttempt[index] < run.attempts.size())
        json.value(run.attempts[run.eventAttempt[index]].id.value);
    else
        json.null();
    json.member("step", event.step);
    json.member("rank", event.rank ? std::optional<std::int64_t>(*event.rank) : std::nullopt);
    timeMember(json, "time", event.time);
    json.member("text", event.text);
    textMember(json, "path", event.path);
    textMember(json, "source",
        event.source < dataset.sources.size() ? dataset.sources[event.source].path : "");
    positiveMember(json, "line", event.line);
    json.endObject();
}

void writeEvents(JsonWriter& json, const Run& run, const Dataset& dataset)
{
    json.key("events");
    json.beginArray();
    std::size_t told = 0;
    for (std::size_t i = 0; i < run.events.size(); ++i) {
        if (isTold(run.events[i]) && ++told <= kMostEvents)
            writeEvent(json, run, i, dataset);
    }
    json.endArray();
    json.member("events_total", static_cast<std::uint64_t>(told));
}

void writeRun(JsonWriter& json, const RunAssessment& assessed, const Dataset& dataset)
{
    const Run& run = *assessed.run;
    json.beginObject();
    json.member("id", run.id.value);
    textMember(json, "format", run.traits.dialect);
    json.key("attempts");
    json.beginArray();
    for (const Attempt& attempt : run.attempts)
        writeAttempt(json, run, attempt);
    json.endArray();
    json.key("series");
    json.beginArray();
    for (const SeriesEntry& entry : seriesOfRun(assessed.run))
        writeSeriesEntry(json, entry, false);
    json.endArray();
    json.key("incidents");
    json.beginArray();
    for (const Incident& incident : assessed.judgement.incidents)
        writeIncident(json, incident);
    json.endArray();
    writeEvents(json, run, dataset);
    json.endObject();
}

void writeSaves(JsonWriter& json, const Look& look)
{
    json.key("checkpoints");
    json.beginArray();
    for (const FoundSave& save : look.saves) {
        json.beginObject();
        json.member("path", save.artifact->path);
        json.member("step", save.step);
        json.member("status", "suspect");
        json.memberNull("verdict");
        json.key("because");
        json.beginArray();
        json.value(save.because);
        json.endArray();
        json.key("warnings");
        json.beginArray();
        json.endArray();
        json.memberNull("parent");
        textMember(json, "format", save.artifact->format);
        json.member("bytes", save.artifact->bytes);
        json.endObject();
    }
    json.endArray();
}

void writeComparisons(JsonWriter& json, const Look& look)
{
    json.key("comparisons");
    json.beginArray();
    for (const Comparison& comparison : look.comparisons) {
        json.beginObject();
        json.key("runs");
        json.beginArray();
        json.value(comparison.run);
        json.value(comparison.other);
        json.endArray();
        json.member("series", comparison.quantity);
        json.member("ratio", comparison.ratio);
        json.member("step", comparison.step);
        json.member("common_steps", comparison.commonSteps);
        json.endObject();
    }
    json.endArray();
}

void writeFoundAndNext(JsonWriter& json, const Look& look)
{
    json.key("capsules");
    json.beginArray();
    for (const FoundArtifact& capsule : look.assessment.dataset->capsules) {
        json.beginObject();
        json.member("path", capsule.path);
        textMember(json, "format", capsule.format);
        json.member("bytes", capsule.bytes);
        json.endObject();
    }
    json.endArray();
    json.key("sources");
    writeSources(json, look.assessment.dataset->sources);
    json.key("next");
    json.beginArray();
    for (const NextCommand& next : look.next) {
        json.beginObject();
        json.member("command", next.command);
        json.member("why", next.why);
        json.endObject();
    }
    json.endArray();
}

}  // namespace

std::string lookJson(const Look& look)
{
    JsonWriter json;
    json.beginObject();
    json.key("runs");
    json.beginArray();
    for (const RunAssessment& run : look.assessment.runs)
        writeRun(json, run, *look.assessment.dataset);
    json.endArray();
    writeComparisons(json, look);
    writeSaves(json, look);
    writeFoundAndNext(json, look);
    json.endObject();
    return json.take();
}

}  // namespace firstbad::core
