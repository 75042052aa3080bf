// SPDX-License-Identifier: GPL-3.0-or-later
// countValues() against one read of the same memory (sum of words) and a loop that decodes and asks
// classify(): bytes per second, one thread. Counts are asserted first.
#include "core/finite/finite_scan.h"

#include "core/base/value_kind.h"
#include "core/finite/float_format.h"

#include <benchmark/benchmark.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace {

using namespace firstbad::core;

constexpr std::size_t kBytes = std::size_t{256} << 20U;  // far beyond any cache

/// Weights of a bf16 model (normal, deviation 0.02), one NaN in the last page.
const std::vector<std::uint64_t>& weights()
{
    static const std::vector<std::uint64_t> words = [] {
        std::mt19937_64 random(5);
        std::normal_distribution<float> normal(0.0F, 0.02F);
        std::vector<std::uint16_t> period(1U << 20U);
        for (auto& value : period)
            value = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(normal(random)) >> 16U);
        std::vector<std::uint64_t> all(kBytes / 8);
        for (std::size_t at = 0; at < kBytes; at += period.size() * 2)
            std::memcpy(reinterpret_cast<char*>(all.data()) + at, period.data(), period.size() * 2);
        const std::uint16_t nan = 0x7FC0;
        std::memcpy(reinterpret_cast<char*>(all.data()) + kBytes - 100, &nan, 2);
        return all;
    }();
    return words;
}

std::span<const char> bytesOfWeights()
{
    return {reinterpret_cast<const char*>(weights().data()), kBytes};
}

std::uint64_t sumOfWords()
{
    std::uint64_t sum = 0;
    for (const std::uint64_t word : weights())
        sum += word;
    return sum;
}

std::uint64_t countByKernel()
{
    return countValues(ElementType::BFloat16, bytesOfWeights()).nonfinite();
}

std::uint64_t countByLoop()
{
    const char* bytes = bytesOfWeights().data();
    std::uint64_t bad = 0;
    for (std::size_t at = 0; at < kBytes; at += 2) {
        std::uint16_t half = 0;
        std::memcpy(&half, bytes + at, 2);
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16U);
        bad += isFinite(static_cast<double>(value)) ? 0U : 1U;
    }
    return bad;
}

void measure(benchmark::State& state, std::uint64_t (*work)(), bool counts)
{
    if (counts && work() != 1) {
        state.SkipWithError("the one planted NaN was not counted once");
        return;
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(work());
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kBytes));
    state.SetLabel(counts ? finiteScanTarget() : "");
}

BENCHMARK_CAPTURE(measure, one_pass_sum_of_words, sumOfWords, false);
BENCHMARK_CAPTURE(measure, count_values_bf16, countByKernel, true);
BENCHMARK_CAPTURE(measure, decode_and_classify_bf16, countByLoop, true);

void countType(benchmark::State& state, ElementType type)
{
    const auto bytes = bytesOfWeights();
    for (auto _ : state)
        benchmark::DoNotOptimize(countValues(type, bytes));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kBytes));
}

BENCHMARK_CAPTURE(countType, float16, ElementType::Float16);
BENCHMARK_CAPTURE(countType, float32, ElementType::Float32);
BENCHMARK_CAPTURE(countType, float64, ElementType::Float64);
BENCHMARK_CAPTURE(countType, float8_e4m3fn, ElementType::Float8E4M3FN);

}  // namespace
