// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/case_codec.h"

#include "core/store/body.h"

#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kSourceStates = 5;
constexpr std::size_t kAttemptEnds = 5;
constexpr std::size_t kQuantities = static_cast<std::size_t>(Quantity::Other) + 1;
constexpr std::size_t kAxes = 5;
constexpr std::size_t kEventKinds = static_cast<std::size_t>(EventKind::Note) + 1;

std::int64_t signedOf(std::uint64_t number) noexcept
{
    return static_cast<std::int64_t>(number);
}

std::uint64_t unsignedOf(std::optional<std::int64_t> number) noexcept
{
    return static_cast<std::uint64_t>(number.value_or(0));
}

void putSkipped(JsonWriter& json, const SkippedPart& part)
{
    json.beginObject();
    json.member("code", part.code);
    json.member("reason", part.reason);
    json.member("offset", signedOf(part.offset));
    json.member("length", signedOf(part.length));
    json.member("line", signedOf(part.line));
    json.member("may_be_growing", part.mayBeGrowing);
    json.endObject();
}

SkippedPart skippedFrom(const JsonValue& object)
{
    return {textOf(object, "code"), textOf(object, "reason"),
        unsignedOf(integerOf(object, "offset")), unsignedOf(integerOf(object, "length")),
        unsignedOf(integerOf(object, "line")), flagOf(object, "may_be_growing")};
}

void putColumn(JsonWriter& json, const ColumnRef& column)
{
    if (column.id == 0) {
        json.null();
        return;
    }
    json.beginObject();
    json.member("id", column.id);
    json.member("points", signedOf(column.points));
    json.member("missing", signedOf(column.missing));
    json.member("times", column.hasTimes);
    json.member("lines", column.hasLines);
    json.endObject();
}

ColumnRef columnFrom(const JsonValue& object)
{
    return {integerOf(object, "id").value_or(0), unsignedOf(integerOf(object, "points")),
        unsignedOf(integerOf(object, "missing")), flagOf(object, "times"), flagOf(object, "lines")};
}

std::optional<std::int32_t> rankOf(const Cell& cell)
{
    const auto rank = optionalOf(cell);
    return rank ? std::optional(static_cast<std::int32_t>(*rank)) : std::nullopt;
}

}  // namespace

Row sourceCells(const SourceInfo& info)
{
    JsonWriter json;
    json.beginObject();
    json.member("encoding", info.encoding);
    json.member("message", info.message);
    json.member("hint", info.hint);
    json.member("attempts", static_cast<std::int64_t>(info.attempts));
    json.key("skipped");
    json.beginArray();
    for (const SkippedPart& part : info.skipped)
        putSkipped(json, part);
    json.endArray();
    json.endObject();
    return {std::string(toString(info.state)), info.format, signedOf(info.bytes), info.sha256,
        signedOf(info.records), json.take()};
}

SourceInfo sourceFromCells(const Row& cells, std::size_t first)
{
    const JsonValue body = readBody(textOf(cells.at(first + 7)));
    SourceInfo info;
    info.path = textOf(cells.at(first));
    info.state = enumOf<SourceState>(textOf(cells.at(first + 2)), kSourceStates);
    info.format = textOf(cells.at(first + 3));
    info.bytes = unsignedOf(integerOf(cells.at(first + 4)));
    info.sha256 = textOf(cells.at(first + 5));
    info.records = unsignedOf(integerOf(cells.at(first + 6)));
    info.encoding = textOf(body, "encoding");
    info.message = textOf(body, "message");
    info.hint = textOf(body, "hint");
    info.attempts = static_cast<std::uint32_t>(unsignedOf(integerOf(body, "attempts")));
    for (const JsonValue& part : listOf(body, "skipped"))
        info.skipped.push_back(skippedFrom(part));
    return info;
}

std::string toBody(const RunBody& run)
{
    const LogTraits& traits = run.traits;
    JsonWriter json;
    json.beginObject();
    json.key("sources");
    json.beginArray();
    for (const std::int64_t number : run.sources)
        json.value(number);
    json.endArray();
    json.member("event_print", run.eventPrint);
    json.member("dialect", traits.dialect);
    json.member("interval", traits.interval);
    if (traits.precision)
        json.member("precision", *traits.precision);
    json.member("loss_field_drops_nonfinite", traits.lossFieldDropsNonfinite);
    json.member("loss_may_be_filtered", traits.lossMayBeFiltered);
    json.member("skipped_is_cumulative", traits.skippedIsCumulative);
    json.member("scale_is_rounded", traits.scaleIsRounded);
    json.endObject();
    return json.take();
}

RunBody runFromBody(const std::string& text)
{
    const JsonValue body = readBody(text);
    RunBody run;
    for (const JsonValue& number : listOf(body, "sources"))
        run.sources.push_back(number.integer.value_or(0));
    run.eventPrint = textOf(body, "event_print");
    LogTraits& traits = run.traits;
    traits.dialect = textOf(body, "dialect");
    traits.interval = integerOf(body, "interval").value_or(1);
    if (body.find("precision"))
        traits.precision = textOf(body, "precision");
    traits.lossFieldDropsNonfinite = flagOf(body, "loss_field_drops_nonfinite");
    traits.lossMayBeFiltered = flagOf(body, "loss_may_be_filtered");
    traits.skippedIsCumulative = flagOf(body, "skipped_is_cumulative");
    traits.scaleIsRounded = flagOf(body, "scale_is_rounded");
    return run;
}

Row attemptCells(const Attempt& attempt)
{
    JsonWriter json;
    json.beginObject();
    putReal(json, "started", attempt.started);
    putReal(json, "ended", attempt.ended);
    if (attempt.resumedFrom) {
        json.member("resumed_step", attempt.resumedFrom->step);
        json.member("resumed_path", attempt.resumedFrom->path);
    }
    if (attempt.parent)
        json.member("parent", signedOf(*attempt.parent));
    json.member("why", attempt.why);
    json.member("concurrent", attempt.isConcurrent);
    if (attempt.givenUpFrom)
        json.member("given_up_from", *attempt.givenUpFrom);
    json.endObject();
    return {attempt.id.value, cellOf(attempt.firstStep), cellOf(attempt.lastStep),
        std::string(toString(attempt.endedHow)), json.take()};
}

Attempt attemptFromCells(const Row& cells, std::size_t first)
{
    const JsonValue body = readBody(textOf(cells.at(first + 4)));
    Attempt attempt;
    attempt.id.value = textOf(cells.at(first));
    attempt.firstStep = optionalOf(cells.at(first + 1));
    attempt.lastStep = optionalOf(cells.at(first + 2));
    attempt.endedHow = enumOf<AttemptEnd>(textOf(cells.at(first + 3)), kAttemptEnds);
    attempt.started = realOf(body, "started");
    attempt.ended = realOf(body, "ended");
    if (const auto step = integerOf(body, "resumed_step"))
        attempt.resumedFrom = ResumePoint{*step, textOf(body, "resumed_path")};
    if (const auto parent = integerOf(body, "parent"))
        attempt.parent = static_cast<std::size_t>(*parent);
    attempt.why = textOf(body, "why");
    attempt.isConcurrent = flagOf(body, "concurrent");
    attempt.givenUpFrom = integerOf(body, "given_up_from");
    return attempt;
}

Row seriesCells(const Series& series, const std::vector<ColumnRef>& columns)
{
    JsonWriter json;
    json.beginObject();
    json.member("axis", toString(series.axis));
    json.member("running_mean", series.isRunningMean);
    json.key("columns");
    json.beginArray();
    for (const ColumnRef& column : columns)
        putColumn(json, column);
    json.endArray();
    json.endObject();
    return {series.name, std::string(toString(series.quantity)), series.unit,
        series.rank ? Cell(std::int64_t{series.rank->value}) : Cell(), json.take()};
}

Series seriesFromCells(const Row& cells, std::size_t first, std::vector<ColumnRef>& columns)
{
    const JsonValue body = readBody(textOf(cells.at(first + 4)));
    Series series;
    series.name = textOf(cells.at(first));
    series.quantity = enumOf<Quantity>(textOf(cells.at(first + 1)), kQuantities);
    series.unit = textOf(cells.at(first + 2));
    if (const auto rank = rankOf(cells.at(first + 3)))
        series.rank = RankId{*rank};
    series.axis = enumOf<StepAxis>(textOf(body, "axis"), kAxes);
    series.isRunningMean = flagOf(body, "running_mean");
    for (const JsonValue& column : listOf(body, "columns"))
        columns.push_back(columnFrom(column));
    return series;
}

Row eventCells(const LogEvent& event, std::int64_t source, std::size_t attempt)
{
    JsonWriter json;
    json.beginObject();
    putReal(json, "time", event.time);
    json.member("path", event.path);
    putReal(json, "before", event.before);
    putReal(json, "after", event.after);
    json.member("offset", signedOf(event.offset));
    json.member("attempt", signedOf(attempt));
    json.endObject();
    return {std::string(toString(event.kind)), cellOf(event.step),
        event.rank ? Cell(std::int64_t{*event.rank}) : Cell(), event.text, source,
        signedOf(event.line), json.take()};
}

LogEvent eventFromCells(const Row& cells, std::size_t first, std::size_t& attempt)
{
    const JsonValue body = readBody(textOf(cells.at(first + 6)));
    LogEvent event;
    event.kind = enumOf<EventKind>(textOf(cells.at(first)), kEventKinds);
    event.step = optionalOf(cells.at(first + 1));
    event.rank = rankOf(cells.at(first + 2));
    event.text = textOf(cells.at(first + 3));
    event.source = static_cast<std::uint32_t>(integerOf(cells.at(first + 4)));
    event.line = unsignedOf(integerOf(cells.at(first + 5)));
    event.time = realOf(body, "time");
    event.path = textOf(body, "path");
    event.before = realOf(body, "before");
    event.after = realOf(body, "after");
    event.offset = unsignedOf(integerOf(body, "offset"));
    attempt = static_cast<std::size_t>(unsignedOf(integerOf(body, "attempt")));
    return event;
}

void putFingerprint(std::string& text, const Row& cells)
{
    for (const Cell& cell : cells) {
        const std::string content = std::holds_alternative<std::string>(cell)
            ? textOf(cell)
            : fmt::format("{}", integerOf(cell));
        text += fmt::format("{}:{}:{};", cell.index(), content.size(), content);
    }
}

}  // namespace firstbad::core
