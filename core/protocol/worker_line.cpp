// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_members.h"
#include "core/base/json_writer.h"
#include "core/protocol/worker_message.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// {"id":ID,NAME:CONTENT}
std::string encodeAnswer(std::int64_t id, std::string_view name, std::string_view contentJson)
{
    JsonWriter json;
    json.beginObject();
    json.member("id", id);
    json.key(name);
    json.raw(contentJson);
    json.endObject();
    return json.take();
}

WorkerDevice readDevice(const JsonMembers& members)
{
    return {members.text("id"), members.text("name"), members.count("memory_bytes"),
        members.texts("dtypes")};
}

WorkerHello readHello(const JsonMembers& members)
{
    WorkerHello hello;
    hello.version = members.text("version");
    hello.libtorch = members.text("libtorch");
    if (members.has("cuda"))
        hello.cuda = WorkerCuda{static_cast<int>(members.object("cuda").integer("driver", 0))};
    const auto& devices = members.list("devices");
    for (std::size_t i = 0; i < devices.size(); ++i)
        hello.devices.push_back(readDevice(members.element(devices[i], "devices", i)));
    hello.families = members.texts("families");
    return hello;
}

ErrorCode errorCodeOf(std::string_view text)
{
    for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code) {
        if (toString(static_cast<ErrorCode>(code)) == text)
            return static_cast<ErrorCode>(code);
    }
    return ErrorCode::Internal;
}

Error readError(const JsonMembers& members)
{
    return {
        errorCodeOf(members.text("code")), members.text("message"), {}, {}, members.text("hint")};
}

void readAnswer(const JsonMembers& root, WorkerSaid& said)
{
    if (root.has("progress")) {
        const JsonMembers progress = root.object("progress");
        said.what = WorkerProgress{
            progress.text("stage"), progress.count("done"), progress.count("total")};
    } else if (root.has("finding")) {
        said.what = WorkerFinding{root.object("finding").value()};
    } else if (root.has("result")) {
        said.what = WorkerResult{root.object("result").value()};
    } else if (root.has("error")) {
        said.what = readError(root.object("error"));
    } else {
        root.refuse("result", "is missing, and there is no progress, finding or error");
    }
}

tl::unexpected<Error> malformed(std::string_view problem)
{
    return fail(ErrorCode::Malformed,
        fmt::format("The worker said something that is not of the protocol: {}.", problem),
        "The worker and this program must come from the same build.");
}

}  // namespace

std::string encodeRequest(const WorkerRequest& request)
{
    JsonWriter json;
    json.beginObject();
    json.member("id", request.id);
    json.member("method", request.method);
    json.key("params");
    json.raw(request.paramsJson);
    json.endObject();
    return json.take();
}

std::string encodeProgress(
    std::int64_t id, std::string_view stage, std::uint64_t done, std::uint64_t total)
{
    JsonWriter json;
    json.beginObject();
    json.member("stage", stage);
    json.member("done", done);
    json.member("total", total);
    json.endObject();
    return encodeAnswer(id, "progress", json.take());
}

std::string encodeFinding(std::int64_t id, std::string_view findingJson)
{
    return encodeAnswer(id, "finding", findingJson);
}

std::string cancelParams(std::int64_t id)
{
    return fmt::format("{{\"id\":{}}}", id);
}

std::optional<std::int64_t> cancelledId(const WorkerRequest& request)
{
    const auto params = parseJson(request.paramsJson);
    if (!params)
        return std::nullopt;
    std::string problem;
    return JsonMembers(*params, {}, problem).optionalInteger("id");
}

Result<WorkerSaid> parseWorkerLine(std::string_view line)
{
    if (line.size() > kMaxProtocolLineBytes)
        return malformed("the line is longer than 1 MiB");
    const auto document = parseJson(line);
    if (!document)
        return malformed("the line is no JSON");
    std::string problem;
    const JsonMembers root(*document, {}, problem);
    WorkerSaid said;
    if (root.has("hello")) {
        const JsonMembers hello = root.object("hello");
        said.protocol = static_cast<int>(hello.integer("protocol", 0));
        said.what = readHello(hello);
    } else {
        said.id = root.optionalInteger("id");
        readAnswer(root, said);
    }
    if (!problem.empty())
        return malformed(problem);
    return said;
}

}  // namespace firstbad::core
