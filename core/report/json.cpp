// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_lists.h"
#include "core/present/json/incident_json.h"
#include "core/report/report.h"

#include <array>

namespace firstbad::core {
namespace {

void writeQuestions(JsonWriter& json, const Report& report)
{
    static constexpr std::array<std::string_view, 3> kKinds{"known", "bad", "unknown"};
    json.key("questions");
    json.beginArray();
    for (std::size_t i = 0; i < report.answers.size(); ++i) {
        const ReportAnswer& answer = report.answers.at(i);
        json.beginObject();
        json.member("number", static_cast<std::int64_t>(i + 1));
        json.member("kind", kKinds.at(static_cast<std::size_t>(answer.question.kind)));
        json.member("answer", answer.question.answer);
        writeList(json, "details", answer.question.details);
        writeList(json, "evidence", answer.evidence);
        writeUnknowns(json, answer.question.unknown);
        json.endObject();
    }
    json.endArray();
}

void writeSaves(JsonWriter& json, const Report& report)
{
    json.key("checkpoints");
    json.beginArray();
    for (const ReportSave& save : report.saves) {
        json.beginObject();
        json.member("name", save.name);
        json.member("status", save.status);
        json.member("because", save.because);
        json.member("picked", save.isPicked);
        json.endObject();
    }
    json.endArray();
}

void writeChecklist(JsonWriter& json, const Report& report)
{
    static constexpr std::array<std::string_view, 3> kStates{"shown", "violated", "unknown"};
    json.key("checklist");
    json.beginArray();
    for (const ReportCheck& check : report.checklist) {
        json.beginObject();
        json.member("item", phrase(check.item, ReportLanguage::English));
        json.member("state", kStates.at(static_cast<std::size_t>(check.state)));
        json.member("note", check.note);
        json.endObject();
    }
    json.endArray();
}

void writeEvidence(JsonWriter& json, const Report& report)
{
    json.key("evidence");
    json.beginArray();
    for (const ReportEvidence& piece : report.evidence) {
        json.beginObject();
        json.member("id", piece.id);
        json.member("place", piece.place);
        json.member("what", piece.what);
        json.member("sha256", piece.sha256);
        json.endObject();
    }
    json.endArray();
}

void writeReplay(JsonWriter& json, const Report& report)
{
    json.key("replay");
    if (!report.replay) {
        json.null();
        return;
    }
    const ReplayResult& replay = *report.replay;
    json.beginObject();
    json.member("capsule", replay.capsule);
    json.member("precision", replay.precision);
    json.member("reproduced", replay.reproduced);
    json.key("first_bad");
    if (replay.firstBad) {
        json.beginObject();
        json.member("lane", replay.firstBad->lane);
        json.member("block", replay.firstBad->block);
        json.member("op", replay.firstBad->op);
        json.member("locus", replay.firstBad->locus);
        json.member("tensor", replay.firstBad->tensor);
        json.member("kind", replay.firstBad->kind);
        json.endObject();
    } else {
        json.null();
    }
    json.endObject();
}

}  // namespace

std::string reportJson(const Report& report)
{
    JsonWriter json;
    json.beginObject();
    json.member("firstbad_report", 1);
    json.member("title", report.title);
    json.member("run", report.run);
    json.member("case", report.caseName);
    json.member("in_short", report.inShort);
    json.key("incident");
    writeIncident(json, report.incident);
    writeQuestions(json, report);
    writeReplay(json, report);
    writeSaves(json, report);
    writeList(json, "against", report.against);
    writeUnknowns(json, report.unknown);
    writeList(json, "limits", report.limits);
    writeChecklist(json, report);
    writeEvidence(json, report);
    json.member("sources_up_to", report.sourcesUpTo);
    json.member("redacted", report.redacted);
    json.endObject();
    return json.take();
}

}  // namespace firstbad::core
