// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/series_text.h"

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/present/text/incident_plot.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/phrases.h"
#include "core/present/text/text_table.h"
#include "core/present/text/text_width.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kFewPoints = 24;
constexpr int kWidestLabel = 9;

std::string count(std::uint64_t number)
{
    return groupedInteger(static_cast<long long>(number));
}

std::string numberOrNone(const std::optional<double>& value)
{
    return value ? shortNumber(*value, 4) : std::string("–");
}

/// "56 NaN from 120, 2 missing"; empty when all is finite and there.
std::string badText(const ColumnSummary& summary)
{
    std::string text;
    const auto add = [&](std::uint64_t number, std::string_view what) {
        if (number > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count(number), what);
    };
    add(summary.counts.nan, "NaN");
    add(summary.counts.posInf, "+Inf");
    add(summary.counts.negInf, "-Inf");
    if (summary.firstNonfiniteStep)
        text += " from " + groupedInteger(*summary.firstNonfiniteStep);
    add(summary.missing, "missing");
    return text;
}

/// Steps in file order; the range that the points cover.
std::string stepsText(const ColumnSummary& summary)
{
    if (!summary.firstStep || !summary.lastStep)
        return "–";
    return fmt::format(
        "{}–{}", groupedInteger(*summary.firstStep), groupedInteger(*summary.lastStep));
}

Plot plotOf(const SeriesEntry& entry)
{
    Plot plot;
    PlotPanel panel = panelFor(*entry.series);
    if (entry.series->quantity == Quantity::Other || displayWidth(panel.label) > kWidestLabel)
        panel.label = "value";  // the whole name stands above
    panel.rows = 8;
    bool any = false;
    for (const SeriesPart& part : entry.parts) {
        panel.segments.push_back(segmentOf(*part.column));
        for (const auto* steps : {&part.column->steps, &part.column->missingSteps}) {
            for (const std::int64_t step : *steps) {
                plot.fromStep = any ? std::min(plot.fromStep, step) : step;
                plot.toStep = any ? std::max(plot.toStep, step) : step;
                any = true;
            }
        }
    }
    if (const auto bad = entry.summary.firstNonfiniteStep)
        plot.labels.push_back({*bad, "first not finite", true});
    plot.labels.push_back({plot.fromStep, "", false});
    plot.labels.push_back({plot.toStep, "", false});
    plot.panels.push_back(std::move(panel));
    return plot;
}

void addStatistics(StyledText& out, const SeriesEntry& entry, const TextStyle& style)
{
    const ColumnSummary& summary = entry.summary;
    LineBuilder line(style);
    line.addFromFile(entry.series->name, Role::Strong);
    std::string facts = fmt::format("{} · {} points · steps {} · {} to {}",
        toString(entry.series->quantity), count(entry.points()), stepsText(summary),
        numberOrNone(summary.min), numberOrNone(summary.max));
    if (!entry.series->unit.empty())
        facts += " " + entry.series->unit;
    if (entry.parts.size() > 1)
        facts += " · " + counted(entry.parts.size(), "attempt");
    if (!entry.run->id.value.empty())
        facts += " · run " + entry.run->id.value;
    addWrapped(out, style, line, std::min(line.width() + 2, 24), facts);
    if (const std::string bad = badText(summary); !bad.empty())
        out.push_back(
            LineBuilder(style).add(Mark::NotANumber).add(" ").add(bad, Role::NotANumber).take());
}

void addPoints(StyledText& out, const SeriesEntry& entry, const TextStyle& style)
{
    using Align = TextTable::Align;
    TextTable table({{"attempt"}, {"step", Align::Right}, {"value", Align::Right}, {"time"}});
    for (const SeriesPart& part : entry.parts) {
        const std::string attempt = attemptName(entry.run->attempts[part.attempt].id.value);
        for (std::size_t i = 0; i < part.column->size(); ++i) {
            const double value = part.column->values[i];
            const Role role = isFinite(value) ? Role::Plain : glyphOf(markOf(classify(value))).role;
            table.addRow({{attempt}, {groupedInteger(part.column->steps[i])},
                {shortNumber(value, 8), role}, {toIso8601(part.column->timeAt(i))}});
        }
        for (const std::int64_t step : part.column->missingSteps)
            table.addRow({{attempt}, {groupedInteger(step)}, {"missing", Role::Muted}, {}});
    }
    const StyledText lines = table.lines(style);
    out.insert(out.end(), lines.begin(), lines.end());
}

/// Series worth a line when there are too many: known quantities and what is not finite, then the
/// others in their order.
std::vector<bool> rowsToShow(std::span<const SeriesEntry> entries, std::size_t most)
{
    std::vector<bool> shown(entries.size(), false);
    std::size_t left = most;
    for (const bool notable : {true, false}) {
        for (std::size_t i = 0; i < entries.size() && left > 0; ++i) {
            const bool isNotable = entries[i].series->quantity != Quantity::Other
                || entries[i].summary.firstNonfiniteStep.has_value();
            if (shown[i] || isNotable != notable)
                continue;
            shown[i] = true;
            --left;
        }
    }
    return shown;
}

void addRunTable(
    StyledText& out, std::span<const SeriesEntry> entries, const TextStyle& style, bool verbose)
{
    using Align = TextTable::Align;
    constexpr std::size_t kMostRows = 60;
    TextTable table({{"series", Align::Left, true}, {"points", Align::Right},
        {"steps", Align::Right}, {"min", Align::Right}, {"max", Align::Right}, {"not finite"}});
    const auto shown = rowsToShow(entries, verbose ? entries.size() : kMostRows);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const SeriesEntry& entry = entries[i];
        if (!shown[i])
            continue;
        table.addRow({{entry.series->name, Role::Strong}, {count(entry.points())},
            {stepsText(entry.summary)}, {numberOrNone(entry.summary.min)},
            {numberOrNone(entry.summary.max)}, {badText(entry.summary), Role::NotANumber}});
    }
    const StyledText lines = table.lines(style);
    out.insert(out.end(), lines.begin(), lines.end());
    if (!verbose && entries.size() > kMostRows)
        addLabelled(out, style, "", 0,
            fmt::format("{} more series with -v", count(entries.size() - kMostRows)), Role::Muted);
}

}  // namespace

StyledText seriesTableText(
    const std::vector<SeriesEntry>& entries, const TextStyle& style, bool verbose)
{
    const bool severalRuns = std::any_of(entries.begin(), entries.end(),
        [&](const SeriesEntry& entry) { return entry.run != entries.front().run; });
    StyledText out;
    for (std::size_t begin = 0; begin < entries.size();) {
        std::size_t end = begin;
        while (end < entries.size() && entries[end].run == entries[begin].run)
            ++end;
        if (severalRuns) {
            if (begin > 0)
                out.emplace_back();
            addLabelled(out, style, "run", 4, entries[begin].run->id.value, Role::Strong);
        }
        addRunTable(out, std::span(entries).subspan(begin, end - begin), style, verbose);
        begin = end;
    }
    return out;
}

StyledText seriesPlotText(
    const std::vector<SeriesEntry>& entries, const TextStyle& style, bool allPoints)
{
    StyledText out;
    for (const SeriesEntry& entry : entries) {
        if (!out.empty())
            out.emplace_back();
        addStatistics(out, entry, style);
        const StyledText drawn = drawPlot(plotOf(entry), style);
        out.insert(out.end(), drawn.begin(), drawn.end());
        if (allPoints || entry.points() <= kFewPoints)
            addPoints(out, entry, style);
    }
    return out;
}

}  // namespace firstbad::core
