// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/series_selection.h"

#include "core/base/text.h"
#include "core/detect/trace.h"

#include <algorithm>
#include <array>
#include <limits>

namespace firstbad::core {
namespace {

/// "loss [rank 3]" without the rank.
std::string_view bareName(const Series& series) noexcept
{
    const std::string_view name = series.name;
    const std::size_t bracket = series.rank ? name.rfind(" [rank ") : std::string_view::npos;
    return name.substr(0, bracket);
}

bool isNamed(const Series& series, std::string_view wanted)
{
    return series.name == wanted || bareName(series) == wanted
        || (series.quantity != Quantity::Other && toString(series.quantity) == wanted);
}

bool isNamedInAnyCase(const Series& series, std::string_view wanted)
{
    return equalsIgnoringCase(series.name, wanted) || equalsIgnoringCase(bareName(series), wanted);
}

bool endsInName(const Series& series, std::string_view wanted)
{
    const std::string_view name = bareName(series);
    const std::size_t cut = name.find_last_of("/.:");
    return cut != std::string_view::npos && equalsIgnoringCase(name.substr(cut + 1), wanted);
}

bool holdsName(const Series& series, std::string_view wanted)
{
    return containsIgnoringCase(series.name, wanted);
}

using NameTest = bool (*)(const Series&, std::string_view);
constexpr std::array<NameTest, 4> kNameTests{isNamed, isNamedInAnyCase, endsInName, holdsName};

/// The strictest test that any series passes; nullptr when none does.
NameTest testFor(const Dataset& dataset, std::string_view wanted)
{
    for (const NameTest test : kNameTests) {
        for (const RunPtr& run : dataset.runs) {
            for (const Series& series : run->series) {
                if (test(series, wanted))
                    return test;
            }
        }
    }
    return nullptr;
}

bool keeps(const SeriesFilter& filter, std::int64_t step) noexcept
{
    return (!filter.fromStep || step >= *filter.fromStep)
        && (!filter.toStep || step <= *filter.toStep);
}

std::shared_ptr<const Column> cutToSteps(const Column& column, const SeriesFilter& filter)
{
    auto cut = std::make_shared<Column>();
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (!keeps(filter, column.steps[i]))
            continue;
        cut->steps.push_back(column.steps[i]);
        cut->values.push_back(column.values[i]);
        if (!column.times.empty())
            cut->times.push_back(column.times[i]);
        if (!column.lines.empty())
            cut->lines.push_back(column.lines[i]);
    }
    for (const std::int64_t step : column.missingSteps) {
        if (keeps(filter, step))
            cut->missingSteps.push_back(step);
    }
    return cut;
}

/// A value that stands for "not finite" (DeepSpeed's norm of -1) is shown as the NaN that it hides.
std::shared_ptr<const Column> unmasked(Quantity quantity, std::shared_ptr<const Column> column)
{
    const auto hides = [&](double value) { return isMaskedValue(quantity, value); };
    if (std::none_of(column->values.begin(), column->values.end(), hides))
        return column;
    auto shown = std::make_shared<Column>(*column);
    std::replace_if(shown->values.begin(), shown->values.end(), hides,
        std::numeric_limits<double>::quiet_NaN());
    return shown;
}

SeriesEntry entryOf(const RunPtr& run, const Series& series, const SeriesFilter& filter)
{
    SeriesEntry entry{run, &series, {}, {}};
    const bool cuts = filter.fromStep || filter.toStep;
    for (std::size_t i = 0; i < run->attempts.size() && i < series.columns.size(); ++i) {
        const auto& column = series.columns[i];
        const bool wanted = filter.attempt.empty() || run->attempts[i].id.value == filter.attempt;
        if (!column || !wanted)
            continue;
        const auto part = unmasked(series.quantity, cuts ? cutToSteps(*column, filter) : column);
        if (part->empty() && part->missingSteps.empty())
            continue;
        entry.summary.append(summarise(*part));
        entry.parts.push_back({i, part});
    }
    return entry;
}

}  // namespace

std::vector<SeriesEntry> selectSeries(const Dataset& dataset, const SeriesFilter& filter)
{
    const NameTest test = filter.name.empty() ? nullptr : testFor(dataset, filter.name);
    std::vector<SeriesEntry> entries;
    if (test == nullptr && !filter.name.empty())
        return entries;
    for (const RunPtr& run : dataset.runs) {
        for (const Series& series : run->series) {
            if (test != nullptr && !test(series, filter.name))
                continue;
            SeriesEntry entry = entryOf(run, series, filter);
            if (!entry.parts.empty())
                entries.push_back(std::move(entry));
        }
    }
    return entries;
}

std::vector<SeriesEntry> seriesOfRun(const RunPtr& run)
{
    std::vector<SeriesEntry> entries;
    for (const Series& series : run->series) {
        SeriesEntry entry = entryOf(run, series, {});
        if (!entry.parts.empty())
            entries.push_back(std::move(entry));
    }
    return entries;
}

}  // namespace firstbad::core
