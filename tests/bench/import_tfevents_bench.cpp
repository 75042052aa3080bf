// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of event files, against a naive reader: bytewise CRC and a string-keyed map of vectors.
#include "core/import/binary/crc32c.h"
#include "core/import/binary/event_decoder.h"
#include "core/import/binary/tfevents_importer.h"
#include "core/series/column.h"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace firstbad::core;

constexpr std::size_t kTags = 10;
constexpr std::size_t kSteps = 100'000;

template <class T> void put(std::string& out, T value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void putVarint(std::string& out, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7U)
        out += static_cast<char>(value | 0x80U);
    out += static_cast<char>(value);
}

void putRecord(std::string& out, const std::string& data)
{
    const std::size_t at = out.size();
    put(out, static_cast<std::uint64_t>(data.size()));
    put(out, maskedCrc(crc32c(std::string_view(out).substr(at, 8))));
    out += data;
    put(out, maskedCrc(crc32c(data)));
}

std::string makeFile()
{
    std::string out;
    putRecord(out,
        std::string("\x09\0\0\0\0\0\0\0\0\x1a\x0d"
                    "brain.Event:2",
            24));
    for (std::size_t step = 1; step <= kSteps; ++step) {
        for (std::size_t tag = 0; tag < kTags; ++tag) {
            const std::string name = "train/metric_" + std::to_string(tag);
            std::string value
                = "\x0a" + std::string(1, static_cast<char>(name.size())) + name + "\x15";
            put(value, static_cast<float>(tag) + 1.0F / static_cast<float>(step));
            std::string event = "\x09";
            put(event, 1.7e9 + static_cast<double>(step));
            event += "\x10";
            putVarint(event, step);
            event += "\x2a" + std::string(1, static_cast<char>(value.size() + 2)) + "\x0a"
                + std::string(1, static_cast<char>(value.size())) + value;
            putRecord(out, event);
        }
    }
    return out;
}

/// The generated file, written once and removed at the end.
struct Fixture {
    Fixture()
        : bytes(makeFile())
        , path("/tmp/firstbad-bench-" + std::to_string(::getpid()) + ".tfevents.1")
    {
        std::ofstream(path, std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    ~Fixture() { std::remove(path.c_str()); }
    Fixture(const Fixture&) = delete;
    Fixture& operator=(const Fixture&) = delete;

    std::string bytes;
    std::string path;
};

const Fixture& fixture()
{
    static const Fixture made;
    return made;
}

std::vector<SourceData> readOnce()
{
    JobContext job;
    auto read = readTfevents({fixture().path, "bench", ""}, {}, job);
    if (!read)
        std::abort();
    return std::move(*read);
}

void assertResult(const std::vector<SourceData>& sources)
{
    bool good = sources.size() == 1 && sources[0].columns.size() == kTags
        && sources[0].info.skipped.empty();
    for (std::size_t tag = 0; good && tag < kTags; ++tag) {
        const auto& points = sources[0].columns[tag].points;
        good = points.size() == kSteps && points.stepAt(kSteps - 1) == kSteps
            && points.valueAt(0) == static_cast<double>(static_cast<float>(tag) + 1.0F);
    }
    if (!good) {
        std::fputs("wrong result\n", stderr);
        std::abort();
    }
}

void setCounters(benchmark::State& state)
{
    const auto rounds = static_cast<std::int64_t>(state.iterations());
    state.SetItemsProcessed(rounds * static_cast<std::int64_t>(kTags * kSteps));
    state.SetBytesProcessed(rounds * static_cast<std::int64_t>(fixture().bytes.size()));
}

void importTfevents(benchmark::State& state)
{
    assertResult(readOnce());
    for (auto _ : state)
        benchmark::DoNotOptimize(readOnce());
    setCounters(state);
}
BENCHMARK(importTfevents)->Unit(benchmark::kMillisecond);

std::uint32_t bytewiseCrc(std::string_view bytes)
{
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
    }
    return ~crc;
}

struct NaivePoint {
    std::int64_t step;
    double value;
    double time;
};

std::map<std::string, std::vector<NaivePoint>> readNaively()
{
    std::ifstream file(fixture().path, std::ios::binary);
    std::map<std::string, std::vector<NaivePoint>> columns;
    std::string head(12, '\0');
    while (file.read(head.data(), 12)) {
        std::uint64_t length = 0;
        std::memcpy(&length, head.data(), sizeof length);
        std::string data(length + 4, '\0');
        file.read(data.data(), static_cast<std::streamsize>(data.size()));
        std::uint32_t stored = 0;
        std::memcpy(&stored, data.data() + length, sizeof stored);
        data.resize(length);
        EventMessage event;
        if (maskedCrc(bytewiseCrc(data)) != stored || !decodeEvent(data, event))
            std::abort();
        for (const SummaryValue& value : event.values)
            columns[std::string(value.tag)].push_back({event.step, value.value, *event.wallTime});
    }
    return columns;
}

void naiveTfevents(benchmark::State& state)
{
    if (readNaively().size() != kTags)
        std::abort();
    for (auto _ : state)
        benchmark::DoNotOptimize(readNaively());
    setCounters(state);
}
BENCHMARK(naiveTfevents)->Unit(benchmark::kMillisecond);

}  // namespace
