// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/series_json.h"

#include "core/base/time.h"
#include "core/base/value_kind.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

void writePoints(JsonWriter& json, const SeriesEntry& entry)
{
    const auto writeArray = [&](std::string_view name, const auto& writeOne) {
        json.key(name);
        json.beginArray();
        for (const SeriesPart& part : entry.parts) {
            for (std::size_t i = 0; i < part.column->size(); ++i)
                writeOne(*part.column, i);
        }
        json.endArray();
    };
    writeArray("steps", [&](const Column& column, std::size_t i) { json.value(column.steps[i]); });
    writeArray(
        "values", [&](const Column& column, std::size_t i) { json.value(column.values[i]); });
    writeArray("times", [&](const Column& column, std::size_t i) {
        const double time = column.timeAt(i);
        if (isFinite(time))
            json.value(time);
        else
            json.null();
    });
    std::uint64_t offset = 0;
    json.key("attempt_offsets");
    json.beginArray();
    for (const SeriesPart& part : entry.parts) {
        json.value(offset);
        offset += part.column->size();
    }
    json.endArray();
}

void writeSummary(JsonWriter& json, const SeriesEntry& entry)
{
    const ColumnSummary& summary = entry.summary;
    json.member("points", entry.points());
    json.member("first_step", summary.firstStep);
    json.member("last_step", summary.lastStep);
    json.member("nan", summary.counts.nan);
    json.member("posinf", summary.counts.posInf);
    json.member("neginf", summary.counts.negInf);
    json.member("missing", summary.missing);
    json.member("first_nonfinite_step", summary.firstNonfiniteStep);
    json.member("sum_finite", summary.sumFinite);
    json.member("min", summary.min);
    json.member("max", summary.max);
}

/// A cell of CSV; `isText` cells are guarded against formulas.
std::string csvCell(std::string_view text, bool isText)
{
    std::string cell(text);
    if (isText && !cell.empty()
        && std::string_view("=+-@\t\r").find(cell[0]) != std::string_view::npos)
        cell.insert(cell.begin(), '\'');
    if (cell.find_first_of(",\"\n\r") == std::string::npos)
        return cell;
    std::string quoted = "\"";
    for (const char c : cell)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csvNumber(double value)
{
    return isFinite(value) ? fmt::format("{}", value) : std::string(toString(classify(value)));
}

void addRows(std::string& csv, const std::string& front, const Column& column)
{
    for (std::size_t i = 0; i < column.size(); ++i)
        csv += fmt::format("{}{},{},{}\n", front, column.steps[i], toIso8601(column.timeAt(i)),
            csvNumber(column.values[i]));
    for (const std::int64_t step : column.missingSteps)
        csv += fmt::format("{}{},,\n", front, step);
}

}  // namespace

void writeSeriesEntry(JsonWriter& json, const SeriesEntry& entry, bool withPoints)
{
    const Series& series = *entry.series;
    json.beginObject();
    json.member("name", series.name);
    json.member("quantity", toString(series.quantity));
    json.member("unit", series.unit);
    json.member("run", entry.run->id.value);
    json.key("attempts");
    json.beginArray();
    for (const SeriesPart& part : entry.parts)
        json.value(entry.run->attempts[part.attempt].id.value);
    json.endArray();
    json.member("step_axis", toString(series.axis));
    writeSummary(json, entry);
    if (withPoints)
        writePoints(json, entry);
    json.endObject();
}

std::string seriesJson(const std::vector<SeriesEntry>& entries, bool withPoints)
{
    JsonWriter json;
    json.beginObject();
    json.key("series");
    json.beginArray();
    for (const SeriesEntry& entry : entries)
        writeSeriesEntry(json, entry, withPoints);
    json.endArray();
    json.endObject();
    return json.take();
}

std::string seriesCsv(const std::vector<SeriesEntry>& entries)
{
    std::string csv = "run,series,attempt,step,time,value\n";
    for (const SeriesEntry& entry : entries) {
        for (const SeriesPart& part : entry.parts) {
            const std::string front = fmt::format("{},{},{},", csvCell(entry.run->id.value, true),
                csvCell(entry.series->name, true),
                csvCell(entry.run->attempts[part.attempt].id.value, true));
            addRows(csv, front, *part.column);
        }
    }
    return csv;
}

}  // namespace firstbad::core
