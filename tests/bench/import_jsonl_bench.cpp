// SPDX-License-Identifier: GPL-3.0-or-later
// JSON lines: our reader against a tree of values built for every line.
#include "core/base/assert.h"
#include "core/base/json_reader.h"
#include "core/import/structured/json_lines_reader.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <map>

using namespace firstbad::core;

namespace {

constexpr int kRows = 100'000;

const std::string& lines()
{
    static const std::string text = [] {
        std::string made;
        for (int i = 1; i <= kRows; ++i)
            made += fmt::format("{{\"step\": {}, \"loss\": {:.16f}, \"grad_norm\": {:.16f}, "
                                "\"scale\": 65536.0, \"lr\": {:.4e}}}\n",
                i, 2.0 + 1.0 / i, 0.5 + 0.25 / i, 1e-4 / i);
        return made;
    }();
    return text;
}

template <class Take> void eachLine(const std::string& text, Take take)
{
    std::size_t at = 0;
    for (std::uint64_t number = 1; at < text.size(); ++number) {
        const std::size_t end = text.find('\n', at);
        take(std::string_view(text).substr(at, end - at), number, at);
        at = end + 1;
    }
}

SourceData readOurs(const std::string& text)
{
    RecordSink sink;
    JsonLinesReader reader(sink, {});
    eachLine(text, [&](std::string_view line, std::uint64_t number, std::size_t at) {
        reader.add({line, number, at, false});
    });
    reader.finish();
    return sink.take();
}

std::map<std::string, std::vector<double>> readNaively(const std::string& text)
{
    std::map<std::string, std::vector<double>> columns;
    eachLine(text, [&](std::string_view line, std::uint64_t /*number*/, std::size_t /*at*/) {
        const auto value = parseJson(line);
        for (const auto& [name, member] : value->members)
            columns[name].push_back(member.real);
    });
    return columns;
}

void setBytes(benchmark::State& state)
{
    state.SetBytesProcessed(
        static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(lines().size()));
}

void linesOurs(benchmark::State& state)
{
    const SourceData data = readOurs(lines());
    FB_ASSERT(data.columns.size() == 4 && data.info.skipped.empty());
    for (const RawColumn& column : data.columns)
        FB_ASSERT(column.points.size() == kRows && column.points.stepAt(kRows - 1) == kRows);
    for (auto _ : state)
        benchmark::DoNotOptimize(readOurs(lines()));
    setBytes(state);
}

void linesNaive(benchmark::State& state)
{
    FB_ASSERT(readNaively(lines())["loss"].size() == kRows);
    for (auto _ : state)
        benchmark::DoNotOptimize(readNaively(lines()));
    setBytes(state);
}

BENCHMARK(linesOurs)->Unit(benchmark::kMillisecond);
BENCHMARK(linesNaive)->Unit(benchmark::kMillisecond);

}  // namespace
