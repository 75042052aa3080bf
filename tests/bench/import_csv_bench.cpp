// SPDX-License-Identifier: GPL-3.0-or-later
// Tables: our reader against the loop that everyone writes first (getline, stringstream, stod).
#include "core/base/assert.h"
#include "core/import/structured/csv_table.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <map>
#include <sstream>

using namespace firstbad::core;

namespace {

constexpr int kRows = 100'000;

const std::string& table()
{
    static const std::string text = [] {
        std::string made = "step,loss,grad_norm,lr,tokens\n";
        for (int i = 1; i <= kRows; ++i)
            made += fmt::format("{},{:.7f},{:.7f},{:.6e},{}\n", i, 2.0 + 1.0 / i, 0.5 + 0.25 / i,
                1e-4 / i, std::int64_t{i} * 4096);
        return made;
    }();
    return text;
}

double sumOfLoss(const SourceData& data)
{
    for (const RawColumn& column : data.columns) {
        if (column.quantity == Quantity::Loss)
            return summarise(column.points.slice(0, column.points.size(), 0, 0)).sumFinite;
    }
    return 0.0;
}

SourceData readOurs(const std::string& text)
{
    RecordSink sink;
    CsvTable reader(sink, "log", {});
    std::size_t at = 0;
    for (std::uint64_t number = 1; at < text.size(); ++number) {
        const std::size_t end = text.find('\n', at);
        reader.add({std::string_view(text).substr(at, end - at), number, at, false});
        at = end + 1;
    }
    reader.finish();
    return sink.take();
}

std::map<std::string, std::vector<double>> readNaively(const std::string& text)
{
    std::istringstream stream(text);
    std::string line;
    std::getline(stream, line);
    std::vector<std::string> names;
    std::istringstream header(line);
    for (std::string name; std::getline(header, name, ',');)
        names.push_back(name);
    std::map<std::string, std::vector<double>> columns;
    while (std::getline(stream, line)) {
        std::istringstream row(line);
        std::string cell;
        for (std::size_t i = 0; std::getline(row, cell, ','); ++i)
            columns[names[i]].push_back(std::stod(cell));
    }
    return columns;
}

void tableOurs(benchmark::State& state)
{
    double expected = 0.0;
    for (int i = 1; i <= kRows; ++i)
        expected += std::stod(fmt::format("{:.7f}", 2.0 + 1.0 / i));
    const double got = sumOfLoss(readOurs(table()));
    FB_ASSERT(got - expected < 1e-6 && expected - got < 1e-6);
    for (auto _ : state)
        benchmark::DoNotOptimize(readOurs(table()));
    state.SetBytesProcessed(
        static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(table().size()));
}

void tableNaive(benchmark::State& state)
{
    FB_ASSERT(readNaively(table())["loss"].size() == kRows);
    for (auto _ : state)
        benchmark::DoNotOptimize(readNaively(table()));
    state.SetBytesProcessed(
        static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(table().size()));
}

BENCHMARK(tableOurs)->Unit(benchmark::kMillisecond);
BENCHMARK(tableNaive)->Unit(benchmark::kMillisecond);

}  // namespace
