// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/audit_json.h"

#include "core/base/json_writer.h"
#include "core/present/json/json_members.h"

#include <algorithm>

namespace firstbad::core {
namespace {

Severity worstSeverity(const Audit& audit) noexcept
{
    Severity worst = Severity::Info;
    for (const AuditStatement& statement : audit.statements)
        worst = std::max(worst, statement.severity);
    return worst;
}

void writeClocks(JsonWriter& json, const Audit& audit)
{
    json.key("clocks");
    json.beginObject();
    json.member("iteration", audit.iterations);
    json.member("update", audit.updates);
    json.member("samples", audit.samples);
    json.member("tokens", audit.tokens);
    json.member("schedule", audit.scheduleSteps);
    json.endObject();
}

void writeSkippedUpdates(JsonWriter& json, const Audit& audit)
{
    json.key("skipped");
    json.beginObject();
    json.member("total", audit.skippedTotal);
    json.key("runs");
    json.beginArray();
    for (const StepRun& run : audit.skippedRuns) {
        json.beginObject();
        json.member("from", run.from);
        json.member("to", run.to);
        json.member("length", run.length);
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

void writeScalePolicy(JsonWriter& json, const Audit& audit)
{
    json.key("scale_policy");
    json.beginObject();
    json.member("best", audit.scalePolicy);
    textMember(json, "alignment", audit.scaleAlignment);
    json.member("consistent", audit.scaleConsistent);
    json.key("first_violation");
    if (audit.firstViolation) {
        json.beginObject();
        json.member("step", audit.firstViolation->step);
        json.member("expected", audit.firstViolation->expected);
        json.member("seen", audit.firstViolation->seen);
        json.endObject();
    } else {
        json.null();
    }
    json.endObject();
}

void writeStatements(JsonWriter& json, const Audit& audit)
{
    json.key("masked");
    json.beginArray();
    for (const Audit::Masked& masked : audit.masked) {
        json.beginObject();
        json.member("series", masked.series);
        json.member("why", masked.why);
        json.endObject();
    }
    json.endArray();
    json.key("statements");
    json.beginArray();
    for (const AuditStatement& statement : audit.statements) {
        json.beginObject();
        json.member("code", statement.code);
        json.member("severity", toString(statement.severity));
        json.member("text", statement.text);
        json.key("steps");
        json.beginArray();
        for (const std::int64_t step : statement.steps)
            json.value(step);
        json.endArray();
        json.endObject();
    }
    json.endArray();
}

void writeAuditMembers(JsonWriter& json, const Audit& audit)
{
    json.member("run", audit.run);
    writeClocks(json, audit);
    writeSkippedUpdates(json, audit);
    writeScalePolicy(json, audit);
    json.key("schedule");
    json.beginObject();
    json.member("drift", audit.scheduleDrift);
    textMember(json, "unit", audit.scheduleUnit);
    json.endObject();
    writeStatements(json, audit);
}

}  // namespace

std::string auditJson(const Assessment& assessment)
{
    const auto worst = std::max_element(assessment.runs.begin(), assessment.runs.end(),
        [](const RunAssessment& a, const RunAssessment& b) {
            return worstSeverity(a.judgement.audit) < worstSeverity(b.judgement.audit);
        });
    JsonWriter json;
    json.beginObject();
    if (worst != assessment.runs.end())
        writeAuditMembers(json, worst->judgement.audit);
    else
        writeAuditMembers(json, Audit{});
    json.key("runs");
    json.beginArray();
    for (const RunAssessment& run : assessment.runs) {
        json.beginObject();
        writeAuditMembers(json, run.judgement.audit);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.take();
}

bool holdsErrorStatement(const Assessment& assessment) noexcept
{
    return std::any_of(
        assessment.runs.begin(), assessment.runs.end(), [](const RunAssessment& run) {
            return worstSeverity(run.judgement.audit) == Severity::Error;
        });
}

}  // namespace firstbad::core
