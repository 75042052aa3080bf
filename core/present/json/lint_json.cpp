// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/lint_json.h"

#include "core/base/number.h"
#include "core/present/json/json_members.h"

namespace firstbad::core {
namespace {

/// Whole numbers as numbers, names as texts: as the capsule spells them.
void writeSampleId(JsonWriter& json, const std::string& id)
{
    json.key("sample_id");
    const auto number = parseInteger(id);
    if (id.empty())
        json.null();
    else if (number)
        json.value(*number);
    else
        json.value(id);
}

void writeFinding(JsonWriter& json, const LintFinding& finding)
{
    json.beginObject();
    json.member("code", finding.code);
    json.member("severity", toString(finding.severity));
    textMember(json, "tensor", finding.tensor);
    json.member("row", finding.row);
    json.member("index", finding.index);
    json.member("micro_step", finding.microStep);
    json.member("value", finding.value);
    json.member("limit", finding.limit);
    json.member("count", finding.count);
    writeSampleId(json, finding.sampleId);
    json.member("text", finding.text);
    json.endObject();
}

}  // namespace

void writeLintFindings(JsonWriter& json, const LintReport& report)
{
    json.beginArray();
    for (const auto& finding : report.findings)
        writeFinding(json, finding);
    json.endArray();
}

std::string lintJson(const LintReport& report)
{
    JsonWriter json;
    json.beginObject();
    json.key("findings");
    writeLintFindings(json, report);
    json.key("counts");
    json.beginObject();
    for (const auto& [code, count] : report.counts)
        json.member(code, count);
    json.endObject();
    json.endObject();
    return json.take();
}

}  // namespace firstbad::core
