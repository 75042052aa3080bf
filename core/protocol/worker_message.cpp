// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/worker_message.h"

#include "core/base/json_lists.h"
#include "core/base/json_writer.h"

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace firstbad::core {

namespace {

constexpr int kMaxNesting = 64;
constexpr unsigned kParseFlags = rapidjson::kParseNanAndInfFlag | rapidjson::kParseFullPrecisionFlag
    | rapidjson::kParseIterativeFlag;

void writeDevice(JsonWriter& json, const WorkerDevice& device)
{
    json.beginObject();
    json.member("id", device.id);
    json.member("name", device.name);
    json.member("memory_bytes", device.memoryBytes);
    writeList(json, "dtypes", device.dtypes);
    json.endObject();
}

/// Deepest nesting of the text, counted before it is parsed: writing a document out again recurses.
int nestingDepth(std::string_view json)
{
    int depth = 0;
    int deepest = 0;
    bool inText = false;
    for (std::size_t index = 0; index < json.size(); ++index) {
        const char c = json[index];
        if (c == '\\' && inText)
            ++index;
        else if (c == '"')
            inText = !inText;
        else if (!inText && (c == '[' || c == '{'))
            deepest = std::max(deepest, ++depth);
        else if (!inText && (c == ']' || c == '}'))
            --depth;
    }
    return deepest;
}

std::string textOf(const rapidjson::Value& value)
{
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::UTF8<>,
        rapidjson::CrtAllocator, rapidjson::kWriteNanAndInfFlag>
        writer(buffer);
    value.Accept(writer);
    return {buffer.GetString(), buffer.GetSize()};
}

tl::unexpected<Error> malformed(std::string what)
{
    return fail(ErrorCode::Malformed, fmt::format("The request is not understood: {}.", what),
        "A request is one line: {\"id\":1,\"method\":\"sweep\",\"params\":{...}}.");
}

}  // namespace

std::string encodeHello(const WorkerHello& hello)
{
    JsonWriter json;
    json.beginObject();
    json.key("hello");
    json.beginObject();
    json.member("protocol", kProtocolVersion);
    json.member("version", hello.version);
    json.member("libtorch", hello.libtorch);
    json.key("cuda");
    if (hello.cuda) {
        json.beginObject();
        json.member("driver", hello.cuda->driver);
        json.endObject();
    } else {
        json.null();
    }
    json.key("devices");
    json.beginArray();
    for (const auto& device : hello.devices)
        writeDevice(json, device);
    json.endArray();
    writeList(json, "families", hello.families);
    json.endObject();
    json.endObject();
    return json.take();
}

std::string encodeResult(std::int64_t id, std::string_view resultJson)
{
    JsonWriter json;
    json.beginObject();
    json.member("id", id);
    json.key("result");
    json.raw(resultJson);
    json.endObject();
    return json.take();
}

std::string encodeError(std::optional<std::int64_t> id, const Error& error)
{
    JsonWriter json;
    json.beginObject();
    json.member("id", id);
    json.key("error");
    json.beginObject();
    json.member("code", toString(error.code));
    json.member("message", error.message);
    json.member("hint", error.hint);
    json.endObject();
    json.endObject();
    return json.take();
}

Result<WorkerRequest> parseRequest(std::string_view line)
{
    if (line.size() > kMaxProtocolLineBytes)
        return malformed("the line is longer than 1 MiB");
    if (nestingDepth(line) > kMaxNesting)
        return malformed(fmt::format("it is nested deeper than {} levels", kMaxNesting));
    rapidjson::Document document;
    document.Parse<kParseFlags>(line.data(), line.size());
    if (document.HasParseError()) {
        std::string_view reason = rapidjson::GetParseError_En(document.GetParseError());
        if (reason.ends_with('.'))
            reason.remove_suffix(1);
        return malformed(
            fmt::format("{} at byte {} of the line", reason, document.GetErrorOffset()));
    }
    if (!document.IsObject())
        return malformed("the line is not a JSON object");
    const auto id = document.FindMember("id");
    if (id == document.MemberEnd() || !id->value.IsInt64())
        return malformed("\"id\" is not a whole number");
    const auto method = document.FindMember("method");
    if (method == document.MemberEnd() || !method->value.IsString())
        return malformed("\"method\" is not a text");

    WorkerRequest request{
        id->value.GetInt64(), {method->value.GetString(), method->value.GetStringLength()}, "{}"};
    const auto params = document.FindMember("params");
    if (params != document.MemberEnd()) {
        if (!params->value.IsObject())
            return malformed("\"params\" is not an object");
        request.paramsJson = textOf(params->value);
    }
    return request;
}

}  // namespace firstbad::core
