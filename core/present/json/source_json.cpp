// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/source_json.h"

#include "core/present/json/json_members.h"

namespace firstbad::core {
namespace {

void writeSkipped(JsonWriter& json, const SkippedPart& part)
{
    json.beginObject();
    json.member("code", part.code);
    json.member("reason", part.reason);
    json.member("offset", part.offset);
    positiveMember(json, "line", part.line);
    positiveMember(json, "length", part.length);
    json.member("may_be_growing", part.mayBeGrowing);
    json.endObject();
}

}  // namespace

void writeSourceMembers(JsonWriter& json, const SourceInfo& source)
{
    json.member("path", source.path);
    json.member("format", source.format);
    json.member("state", toString(source.state));
    json.member("bytes", source.bytes);
    textMember(json, "sha256", source.sha256);
    json.member("records", source.records);
    json.key("skipped");
    json.beginArray();
    for (const SkippedPart& part : source.skipped)
        writeSkipped(json, part);
    json.endArray();
    json.member("attempts", static_cast<std::uint64_t>(source.attempts));
    json.member("encoding", source.encoding);
    textMember(json, "message", source.message);
}

void writeSources(JsonWriter& json, const std::vector<SourceInfo>& sources)
{
    json.beginArray();
    for (const SourceInfo& source : sources) {
        json.beginObject();
        writeSourceMembers(json, source);
        json.endObject();
    }
    json.endArray();
}

}  // namespace firstbad::core
