// SPDX-License-Identifier: GPL-3.0-or-later
// Reading Megatron text: the text importer against std::getline with std::regex and with strtod.
//
// All three must find the same losses before anything is timed; bytes per CPU second are shown.
// FIRSTBAD_BENCH_MB sets the size of the generated log (default 4).
#include "core/import/text/text_importer.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <regex>
#include <string>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace firstbad::core;

struct LossSum {
    std::size_t points = 0;
    double sum = 0.0;
};

std::size_t wantedBytes()
{
    const char* const named = std::getenv("FIRSTBAD_BENCH_MB");
    return static_cast<std::size_t>(named != nullptr ? std::atoi(named) : 4) << 20U;
}

/// One generated log for the whole program, removed at its end.
class GeneratedLog
{
public:
    GeneratedLog()
        : m_path(fs::temp_directory_path() / fmt::format("firstbad-bench-{}.log", ::getpid()))
    {
        std::mt19937_64 random(11);
        std::uniform_real_distribution<double> noise(0.0, 1.0);
        std::ofstream out(m_path, std::ios::binary);
        for (std::int64_t step = 1; m_bytes < wantedBytes(); ++step) {
            const std::string line = fmt::format(
                " [2031-02-03 04:{:02}:{:02}.123456] iteration {:8}/ 9000000 | consumed samples: "
                "{:12} | elapsed time per iteration (ms): {:.1f} | throughput per GPU "
                "(TFLOP/s/GPU): {:.1f} | learning rate: {:.6E} | global batch size:  1024 | lm "
                "loss: {:.6E} | loss scale: 65536.0 | grad norm: {:.3f} | number of skipped "
                "iterations:   0 | number of nan iterations:   0 |\n",
                step / 60 % 60, step % 60, step, step * 1024, 900 + noise(random) * 100,
                100 + noise(random), 1e-4 * noise(random), 2 + noise(random), noise(random));
            m_bytes += line.size();
            out << line;
        }
    }
    ~GeneratedLog()
    {
        std::error_code ignored;
        fs::remove(m_path, ignored);
    }
    GeneratedLog(const GeneratedLog&) = delete;
    GeneratedLog& operator=(const GeneratedLog&) = delete;

    [[nodiscard]] const fs::path& path() const noexcept { return m_path; }
    [[nodiscard]] std::size_t bytes() const noexcept { return m_bytes; }

private:
    fs::path m_path;
    std::size_t m_bytes = 0;
};

const GeneratedLog& generatedLog()
{
    static const GeneratedLog log;
    return log;
}

LossSum byImporter(const fs::path& path)
{
    JobContext job;
    LossSum found;
    const auto read = readText({path, "bench.log", ""}, {}, job);
    if (!read)
        return found;
    for (const RawColumn& column : read->front().columns) {
        if (column.name != "lm loss")
            continue;
        found.points = column.points.size();
        for (std::size_t i = 0; i < found.points; ++i)
            found.sum += column.points.valueAt(i);
    }
    return found;
}

/// What a quick script does: every field of every line through one regular expression.
LossSum byRegex(const fs::path& path)
{
    const std::regex field(R"(([a-zA-Z/() ]+): +([-+0-9.eE]+|nan|inf))");
    std::ifstream in(path);
    std::string line;
    LossSum found;
    while (std::getline(in, line)) {
        for (std::sregex_iterator at(line.begin(), line.end(), field), end; at != end; ++at) {
            const double value = std::strtod((*at)[2].str().c_str(), nullptr);
            if ((*at)[1].str() == " lm loss") {
                ++found.points;
                found.sum += value;
            }
        }
    }
    return found;
}

/// Every field split at '|' and ": ", its number read by strtod and kept by name.
LossSum byStrtod(const fs::path& path)
{
    std::ifstream in(path);
    std::string line;
    LossSum found;
    double kept = 0.0;
    while (std::getline(in, line)) {
        std::size_t at = 0;
        while (at < line.size()) {
            std::size_t bar = line.find('|', at);
            bar = bar == std::string::npos ? line.size() : bar;
            const std::string text = line.substr(at, bar - at);
            at = bar + 1;
            const std::size_t colon = text.rfind(": ");
            if (colon == std::string::npos)
                continue;
            const double value = std::strtod(text.c_str() + colon + 2, nullptr);
            kept += value;
            if (text.compare(0, colon, " lm loss") == 0) {
                ++found.points;
                found.sum += value;
            }
        }
    }
    benchmark::DoNotOptimize(kept);
    return found;
}

void measure(benchmark::State& state, LossSum (*read)(const fs::path&))
{
    const GeneratedLog& log = generatedLog();
    const LossSum want = byStrtod(log.path());
    const LossSum got = read(log.path());
    const double error = std::fabs(got.sum - want.sum);
    if (want.points == 0 || got.points != want.points || !(error <= 1e-9 * want.sum)) {
        state.SkipWithError("the losses found differ from those of strtod");
        return;
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(read(log.path()).points);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(log.bytes()));
}

BENCHMARK_CAPTURE(measure, importer, byImporter)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(measure, getlineStrtod, byStrtod)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(measure, getlineRegex, byRegex)->Unit(benchmark::kMillisecond);

}  // namespace
