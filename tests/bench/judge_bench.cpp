// SPDX-License-Identifier: GPL-3.0-or-later
// Judging a run of a million points a series, against the same window sorted at every point.
#include "core/detect/judge.h"
#include "core/detect/rolling_level.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <memory>
#include <random>

namespace {

using namespace firstbad::core;

constexpr std::size_t kPoints = 1'000'000;
constexpr std::size_t kSpikeAt = 654'321;

std::vector<double> noisyLoss()
{
    std::mt19937 random(1);
    std::normal_distribution<double> noise(2.0, 0.05);
    std::vector<double> values(kPoints);
    std::generate(values.begin(), values.end(), [&] { return noise(random); });
    values[kSpikeAt] = 50.0;
    return values;
}

Run millionPoints()
{
    Run run;
    Attempt attempt;
    attempt.id.value = "1";
    attempt.firstStep = 0;
    attempt.lastStep = static_cast<std::int64_t>(kPoints) - 1;
    run.attempts.push_back(attempt);
    for (const auto quantity : {Quantity::Loss, Quantity::GradNorm}) {
        Column column;
        column.values = noisyLoss();
        for (std::size_t i = 0; i < kPoints; ++i)
            column.steps.push_back(static_cast<std::int64_t>(i));
        Series series;
        series.name = toString(quantity);
        series.quantity = quantity;
        series.columns.push_back(std::make_shared<const Column>(std::move(column)));
        run.series.push_back(std::move(series));
    }
    return run;
}

void judgeMillion(benchmark::State& state)
{
    const Run run = millionPoints();
    for (auto _ : state) {
        JobContext job;
        const auto judgement = judge(run, {}, Settings(), job);
        if (!judgement || judgement->incidents.empty()
            || judgement->incidents[0].onsetStep != static_cast<std::int64_t>(kSpikeAt))
            state.SkipWithError("the one spike was not found");
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(2 * kPoints));
}
BENCHMARK(judgeMillion)->Unit(benchmark::kMillisecond);

void rollingWindow(benchmark::State& state)
{
    const auto values = noisyLoss();
    for (auto _ : state) {
        RollingLevel level(48);
        double sum = 0.0;
        for (const double value : values) {
            level.add(value);
            sum += level.level().mad;
        }
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPoints));
}
BENCHMARK(rollingWindow)->Unit(benchmark::kMillisecond);

/// The naive way: copy and sort the window at every point.
void sortedWindow(benchmark::State& state)
{
    const auto values = noisyLoss();
    for (auto _ : state) {
        double sum = 0.0;
        for (std::size_t i = 48; i < values.size(); ++i) {
            std::vector<double> window(values.begin() + static_cast<std::ptrdiff_t>(i - 48),
                values.begin() + static_cast<std::ptrdiff_t>(i));
            std::sort(window.begin(), window.end());
            const double median = 0.5 * (window[23] + window[24]);
            for (double& value : window)
                value = std::abs(value - median);
            std::sort(window.begin(), window.end());
            sum += 0.5 * (window[23] + window[24]);
        }
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPoints));
}
BENCHMARK(sortedWindow)->Unit(benchmark::kMillisecond);

}  // namespace
