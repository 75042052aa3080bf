// SPDX-License-Identifier: GPL-3.0-or-later
// Min/max pyramid against a full scan: 20 M points, 2000 pixel columns.
#include "core/series/pyramid.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdlib>
#include <limits>

using namespace firstbad::core;

namespace {

constexpr std::size_t kPoints = 20'000'000;
constexpr std::size_t kPixels = 2000;

std::shared_ptr<const Column> bigColumn()
{
    static const auto kColumn = [] {
        auto column = std::make_shared<Column>();
        column->steps.resize(kPoints);
        column->values.resize(kPoints);
        for (std::size_t i = 0; i < kPoints; ++i) {
            column->steps[i] = static_cast<std::int64_t>(i);
            column->values[i] = std::sin(static_cast<double>(i) * 1e-5);
        }
        column->values[kPoints / 3] = std::numeric_limits<double>::quiet_NaN();
        return column;
    }();
    return kColumn;
}

std::vector<PixelColumn> fullScan(const Column& column)
{
    std::vector<PixelColumn> pixels(kPixels);
    for (std::size_t p = 0; p < kPixels; ++p) {
        PixelColumn& pixel = pixels[p];
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        for (std::size_t i = kPoints / kPixels * p; i < kPoints / kPixels * (p + 1); ++i) {
            const double value = column.values[i];
            pixel.counts.add(classify(value));
            if (!isFinite(value))
                continue;
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        pixel.min = low;
        pixel.max = high;
    }
    return pixels;
}

void requireSame(const std::vector<PixelColumn>& a, const std::vector<PixelColumn>& b)
{
    for (std::size_t i = 0; i < kPixels; ++i)
        if (a[i].min != b[i].min || a[i].max != b[i].max || !(a[i].counts == b[i].counts))
            std::abort();
}

void scanAllPoints(benchmark::State& state)
{
    const auto column = bigColumn();
    for (auto _ : state)
        benchmark::DoNotOptimize(fullScan(*column));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPoints));
}
BENCHMARK(scanAllPoints)->Unit(benchmark::kMillisecond);

void buildPyramid(benchmark::State& state)
{
    const auto column = bigColumn();
    for (auto _ : state)
        benchmark::DoNotOptimize(Pyramid(column).memoryBytes());
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPoints));
}
BENCHMARK(buildPyramid)->Unit(benchmark::kMillisecond);

void lookUpPixels(benchmark::State& state)
{
    const auto column = bigColumn();
    const Pyramid pyramid(column);
    requireSame(pyramid.byPoints(0, kPoints, kPixels), fullScan(*column));
    for (auto _ : state)
        benchmark::DoNotOptimize(pyramid.byPoints(0, kPoints, kPixels));
}
BENCHMARK(lookUpPixels)->Unit(benchmark::kMillisecond);

}  // namespace
