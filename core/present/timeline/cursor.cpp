// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/timeline/cursor.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

Reading readingAt(const Column& column, std::size_t point, ReadingKind kind)
{
    Reading reading;
    reading.kind = kind;
    reading.value = column.values[point];
    reading.step = column.steps[point];
    reading.source = column.sourceAt(point);
    reading.line = column.lineAt(point);
    if (const double time = column.timeAt(point); isFinite(time))
        reading.time = time;
    return reading;
}

/// The newest point at or before the step; nullopt when there is none.
std::optional<std::size_t> pointUpTo(const Column& column, std::int64_t step)
{
    const auto after = std::upper_bound(column.steps.begin(), column.steps.end(), step);
    if (after == column.steps.begin())
        return std::nullopt;
    return static_cast<std::size_t>(after - column.steps.begin()) - 1;
}

bool isMissingAt(const Column& column, std::int64_t step)
{
    return std::binary_search(column.missingSteps.begin(), column.missingSteps.end(), step);
}

SeriesReading readSeries(const Series& series, std::size_t attempts, std::int64_t step)
{
    SeriesReading reading{series.name, series.quantity, {}};
    for (std::size_t i = 0; i < attempts; ++i) {
        const Column* column = series.column(i);
        reading.attempts.push_back(column == nullptr ? Reading{} : readColumn(*column, step));
    }
    return reading;
}

int importanceOf(Quantity quantity) noexcept
{
    switch (quantity) {
    case Quantity::Loss:
        return 0;
    case Quantity::LossScale:
        return 1;
    case Quantity::GradNorm:
        return 2;
    case Quantity::LearningRate:
        return 3;
    default:
        return 4;
    }
}

std::string csvText(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csvValue(double value)
{
    return isFinite(value) ? fmt::format("{}", value) : std::string(toString(classify(value)));
}

}  // namespace

Reading readColumn(const Column& column, std::int64_t step)
{
    if (isMissingAt(column, step)) {
        Reading missing;
        missing.kind = ReadingKind::Missing;
        missing.step = step;
        return missing;
    }
    const auto point = pointUpTo(column, step);
    if (!point)
        return {};
    const bool exact = column.steps[*point] == step;
    return readingAt(column, *point, exact ? ReadingKind::Value : ReadingKind::Before);
}

Reading readFinite(const Column& column, std::int64_t step)
{
    auto point = pointUpTo(column, step);
    while (point && !isFinite(column.values[*point]))
        point = *point == 0 ? std::nullopt : std::optional(*point - 1);
    if (!point)
        return {};
    const bool exact = column.steps[*point] == step;
    return readingAt(column, *point, exact ? ReadingKind::Value : ReadingKind::Before);
}

std::vector<SeriesReading> readCursor(const Run& run, std::int64_t step)
{
    std::vector<const Series*> shown;
    for (const Series& series : run.series)
        shown.push_back(&series);
    std::stable_sort(shown.begin(), shown.end(), [](const Series* a, const Series* b) {
        return importanceOf(a->quantity) < importanceOf(b->quantity);
    });
    std::vector<SeriesReading> readings;
    for (const Series* series : shown)
        readings.push_back(readSeries(*series, run.attempts.size(), step));
    return readings;
}

std::string windowCsv(const Timeline& timeline, StepWindow window, std::size_t limit)
{
    std::string csv = "step,attempt,series,value\n";
    std::size_t lines = 0;
    std::size_t leftOut = 0;
    for (const TimelinePanel& panel : timeline.panels) {
        for (std::size_t i = 0; i < panel.traces.size(); ++i) {
            if (!panel.traces[i].pyramid)
                continue;
            const Column& column = panel.traces[i].pyramid->column();
            for (std::size_t point = 0; point < column.size(); ++point) {
                if (column.steps[point] < window.from || column.steps[point] > window.to)
                    continue;
                if (lines++ >= limit) {
                    ++leftOut;
                    continue;
                }
                csv += fmt::format("{},{},{},{}\n", column.steps[point],
                    csvText(timeline.attempts[i].name), csvText(panel.sourceName),
                    csvValue(column.values[point]));
            }
        }
    }
    if (leftOut > 0)
        csv += fmt::format("# {} more points were left out: zoom in to copy them\n", leftOut);
    return csv;
}

}  // namespace firstbad::core
