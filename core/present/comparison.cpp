// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/comparison.h"

#include "core/base/compare.h"

#include <algorithm>
#include <array>
#include <map>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostRuns = 16;
constexpr double kClearlyMore = 1.5;

constexpr std::array<Quantity, 5> kCompared{Quantity::Loss, Quantity::GradNorm, Quantity::LossScale,
    Quantity::LearningRate, Quantity::Throughput};

/// Value at each step; a later attempt replaces what an earlier one gave up.
std::map<std::int64_t, double> valuesByStep(const Series& series)
{
    std::map<std::int64_t, double> values;
    for (const auto& column : series.columns) {
        for (std::size_t i = 0; column && i < column->size(); ++i)
            values.insert_or_assign(column->steps[i], column->values[i]);
    }
    return values;
}

std::optional<Comparison> compareSeries(const Series& series, const Series& other)
{
    const auto values = valuesByStep(series);
    Comparison comparison;
    std::vector<double> ratios;
    for (const auto& [step, value] : valuesByStep(other)) {
        const auto found = values.find(step);
        const bool usable = found != values.end() && isFinite(found->second) && isFinite(value)
            && found->second != 0.0;
        if (!usable)
            continue;
        const double ratio = value / found->second;
        if (!isFinite(ratio))
            continue;
        ratios.push_back(ratio);
        const bool differs = exceeds(ratio, kClearlyMore) || !exceeds(ratio, 1.0 / kClearlyMore);
        if (differs && !comparison.step)
            comparison.step = step;
    }
    if (ratios.empty())
        return std::nullopt;
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    comparison.ratio = *middle;
    comparison.commonSteps = ratios.size();
    return comparison;
}

}  // namespace

std::vector<Comparison> compareRuns(const std::vector<RunPtr>& runs)
{
    std::vector<Comparison> comparisons;
    for (std::size_t i = 1; i < std::min(runs.size(), kMostRuns); ++i) {
        for (const Quantity quantity : kCompared) {
            const Series* first = runs[0]->find(quantity);
            const Series* other = runs[i]->find(quantity);
            auto comparison
                = first && other ? compareSeries(*first, *other) : std::optional<Comparison>();
            if (!comparison)
                continue;
            comparison->run = runs[0]->id.value;
            comparison->other = runs[i]->id.value;
            comparison->quantity = toString(quantity);
            comparisons.push_back(std::move(*comparison));
        }
    }
    return comparisons;
}

}  // namespace firstbad::core
