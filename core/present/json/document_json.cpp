// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/document_json.h"

#include "core/base/json_writer.h"

namespace firstbad::core {
namespace {

void writeWhere(JsonWriter& json, const Where& where)
{
    json.key("where");
    if (where.path.empty()) {
        json.null();
        return;
    }
    json.beginObject();
    json.member("path", where.path);
    json.member("line", where.line);
    json.member("offset", where.offset);
    json.endObject();
}

void writeDiagnostic(JsonWriter& json, const Diagnostic& diagnostic)
{
    json.beginObject();
    json.member("severity", toString(diagnostic.severity));
    json.member("code", diagnostic.code);
    json.member("message", diagnostic.message);
    writeWhere(json, diagnostic.where);
    json.endObject();
}

}  // namespace

std::string documentJson(
    std::string_view command, std::string_view resultJson, const Diagnostics& diagnostics)
{
    JsonWriter json;
    json.beginObject();
    json.member("firstbad", 1);
    json.member("command", command);
    json.key("result");
    if (resultJson.empty())
        json.null();
    else
        json.raw(resultJson);
    json.key("diagnostics");
    json.beginArray();
    for (const Diagnostic& diagnostic : diagnostics)
        writeDiagnostic(json, diagnostic);
    json.endArray();
    json.endObject();
    return json.take() + "\n";
}

std::string errorDocumentJson(std::string_view command, const Error& error)
{
    Diagnostic diagnostic;
    diagnostic.severity = Severity::Error;
    diagnostic.code = toString(error.code);
    diagnostic.message = error.hint.empty() ? error.message : error.message + " " + error.hint;
    diagnostic.where = error.where.value_or(Where{});
    return documentJson(command, {}, {diagnostic});
}

}  // namespace firstbad::core
