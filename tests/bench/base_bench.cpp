// SPDX-License-Identifier: GPL-3.0-or-later
// Number reading against strtod, on generated text.
#include "core/base/number.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

using firstbad::core::parseNumberPrefix;

std::vector<std::string> someNumbers()
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> mantissa(-10.0, 10.0);
    std::vector<std::string> texts;
    for (int index = 0; index < 4096; ++index)
        texts.push_back(fmt::format("{:.6E}", mantissa(random)));
    return texts;
}

double sumByStrtod(const std::vector<std::string>& texts)
{
    double sum = 0;
    for (const auto& text : texts)
        sum += std::strtod(text.c_str(), nullptr);
    return sum;
}

double sumByParseNumber(const std::vector<std::string>& texts)
{
    double sum = 0;
    for (const auto& text : texts)
        sum += parseNumberPrefix(text)->value;
    return sum;
}

void measure(benchmark::State& state, double (*sum)(const std::vector<std::string>&))
{
    const auto texts = someNumbers();
    if (sum(texts) != sumByStrtod(texts)) {
        state.SkipWithError("the sum differs from strtod's");
        return;
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(sum(texts));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(texts.size()));
}

BENCHMARK_CAPTURE(measure, strtod, sumByStrtod);
BENCHMARK_CAPTURE(measure, parseNumberPrefix, sumByParseNumber);

}  // namespace
