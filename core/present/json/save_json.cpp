// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/save_json.h"

#include "core/base/json_lists.h"
#include "core/present/json/json_members.h"
#include "core/present/json/scan_json.h"

namespace firstbad::core {
namespace {

std::vector<std::string> reasonsFor(const std::vector<SaveRecord>& records, const PickResult& pick)
{
    if (!pick.picked)
        return {records.empty() ? "there is no checkpoint" : "no checkpoint is committed"};
    return records[*pick.picked].because;
}

void writeAttempts(JsonWriter& json, const Assessment* assessment)
{
    json.key("attempts");
    json.beginArray();
    if (assessment != nullptr) {
        for (const RunAssessment& assessed : assessment->runs) {
            for (const Attempt& attempt : assessed.run->attempts) {
                json.beginObject();
                json.member("run", assessed.run->id.value);
                json.member("id", attempt.id.value);
                json.member("first_step", attempt.firstStep);
                json.member("last_step", attempt.lastStep);
                json.key("parent_attempt");
                if (attempt.parent)
                    json.value(assessed.run->attempts[*attempt.parent].id.value);
                else
                    json.null();
                json.key("resumed_from_step");
                if (attempt.resumedFrom)
                    json.value(attempt.resumedFrom->step);
                else
                    json.null();
                json.endObject();
            }
        }
    }
    json.endArray();
}

}  // namespace

void writeSave(JsonWriter& json, const SaveRecord& record)
{
    json.beginObject();
    json.member("path", record.place.shown);
    json.member("step", record.step);
    json.member("status", toString(record.status));
    json.member("verdict", toString(record.scan.verdict));
    writeList(json, "because", record.because);
    json.key("warnings");
    writeWarnings(json, record.warnings);
    textMember(json, "parent", record.parent);
    textMember(json, "attempt", record.attempt);
    json.member("format", record.scan.checkpoint.format);
    json.endObject();
}

std::string saveListJson(
    const std::vector<SaveRecord>& records, const std::vector<std::string>& rotation)
{
    JsonWriter json;
    json.beginObject();
    json.key("checkpoints");
    json.beginArray();
    for (const std::size_t r : newestFirst(records))
        writeSave(json, records[r]);
    json.endArray();
    writeList(json, "rotation", rotation);
    json.endObject();
    return json.take();
}

std::string pickJson(const std::vector<SaveRecord>& records, const PickResult& pick)
{
    JsonWriter json;
    json.beginObject();
    json.key("picked");
    if (pick.picked)
        writeSave(json, records[*pick.picked]);
    else
        json.null();
    writeList(json, "because", reasonsFor(records, pick));
    json.key("rejected");
    json.beginArray();
    for (const std::size_t r : pick.rejected)
        writeSave(json, records[r]);
    json.endArray();
    json.endObject();
    return json.take();
}

std::string gateJson(const SaveRecord& record)
{
    JsonWriter json;
    writeSave(json, record);
    return json.take();
}

std::string lineageJson(const std::vector<SaveRecord>& records, const Assessment* assessment,
    const std::vector<std::string>& rotation)
{
    JsonWriter json;
    json.beginObject();
    json.key("nodes");
    json.beginArray();
    for (const std::size_t r : newestFirst(records))
        writeSave(json, records[r]);
    json.endArray();
    writeAttempts(json, assessment);
    writeList(json, "rotation", rotation);
    json.endObject();
    return json.take();
}

}  // namespace firstbad::core
