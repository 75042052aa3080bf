// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/replay_request.h"

#include "core/base/json_lists.h"
#include "core/base/json_members.h"
#include "core/base/json_writer.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

void putText(JsonWriter& json, std::string_view name, const std::string& text)
{
    if (!text.empty())
        json.member(name, text);
}

template <class T>
void putMaybe(JsonWriter& json, std::string_view name, const std::optional<T>& maybe)
{
    if (maybe)
        json.member(name, *maybe);
}

void putMaybeIntegers(JsonWriter& json, std::string_view name,
    const std::optional<std::vector<std::int64_t>>& numbers)
{
    if (numbers)
        writeList(json, name, *numbers);
}

std::optional<std::vector<std::int64_t>> maybeIntegers(
    const JsonMembers& members, std::string_view name)
{
    if (!members.has(name))
        return std::nullopt;
    return members.integers(name);
}

void requireOneOf(const JsonMembers& members, std::string_view name, const std::string& text,
    std::initializer_list<std::string_view> allowed)
{
    for (const std::string_view word : allowed) {
        if (text == word)
            return;
    }
    members.refuse(name, fmt::format("can not be \"{}\"", text));
}

void checkWords(const JsonMembers& members, const ReplayRequest& request)
{
    if (request.capsule.empty())
        members.refuse("capsule", "is missing");
    requireOneOf(
        members, "when", request.when, {"nonfinite", "overflow-risk", "diverges", "grows"});
    requireOneOf(members, "seed_from", request.seedFrom, {"capsule", "fixed"});
    requireOneOf(members, "precision", request.precision,
        {"", "fp64", "fp32", "fp16", "bf16", "fp8-e4m3", "fp8-e5m2", "mixed-fp16", "mixed-bf16"});
    if (request.when == "grows" && request.baseline.empty())
        members.refuse("baseline", "is missing: \"grows\" compares with another capsule");
    if (request.times < 1)
        members.refuse("times", "is below 1");
    if (request.window < 0)
        members.refuse("window", "is negative");
}

}  // namespace

std::string encodeReplayRequest(const ReplayRequest& request)
{
    JsonWriter json;
    json.beginObject();
    json.member("capsule", request.capsule);
    putText(json, "shown_path", request.shownPath);
    putText(json, "baseline", request.baseline);
    putText(json, "precision", request.precision);
    putText(json, "attention", request.attention);
    putMaybe(json, "loss_scale", request.lossScale);
    putMaybe(json, "dropout", request.dropout);
    json.member("when", request.when);
    putMaybe(json, "limit", request.limit);
    putText(json, "lane", request.lane);
    json.member("device", request.device);
    json.member("seed_from", request.seedFrom);
    json.member("times", request.times);
    putText(json, "dump", request.dump);
    putMaybeIntegers(json, "rows", request.rows);
    putMaybeIntegers(json, "fp32_blocks", request.fp32Blocks);
    putMaybe(json, "memory_bytes", request.memoryBytes);
    putText(json, "probe", request.probe);
    if (!request.probe.empty()) {
        json.member("micro_step", request.microStep);
        writeList(json, "element_index", request.elementIndex);
        json.member("window", request.window);
    }
    json.endObject();
    return json.take();
}

Result<ReplayRequest> parseReplayRequest(std::string_view paramsJson)
{
    const auto document = parseJson(paramsJson);
    if (!document)
        return tl::unexpected(document.error());
    std::string problem;
    const JsonMembers members(*document, {}, problem);
    ReplayRequest request;
    request.capsule = members.text("capsule");
    request.shownPath = members.text("shown_path", request.capsule);
    request.baseline = members.text("baseline");
    request.precision = members.text("precision");
    request.attention = members.text("attention");
    request.lossScale = members.optionalNumber("loss_scale");
    request.dropout = members.optionalFlag("dropout");
    request.when = members.text("when", request.when);
    request.limit = members.optionalNumber("limit");
    request.lane = members.text("lane");
    request.device = members.text("device", request.device);
    request.seedFrom = members.text("seed_from", request.seedFrom);
    request.times = members.integer("times", request.times);
    request.dump = members.text("dump");
    request.rows = maybeIntegers(members, "rows");
    request.fp32Blocks = maybeIntegers(members, "fp32_blocks");
    if (members.has("memory_bytes"))
        request.memoryBytes = members.count("memory_bytes");
    request.probe = members.text("probe");
    request.microStep = members.integer("micro_step", 0);
    request.elementIndex = members.integers("element_index");
    request.window = members.integer("window", request.window);
    checkWords(members, request);
    if (!problem.empty())
        return fail(ErrorCode::InvalidArgument,
            fmt::format("The parameters of the request do not fit: {}.", problem),
            "core/protocol/replay_request.h lists the members and their values.");
    return request;
}

}  // namespace firstbad::core
