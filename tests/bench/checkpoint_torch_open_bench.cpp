// SPDX-License-Identifier: GPL-3.0-or-later
// Opening a torch.save of 10,000 tensors: our reader against only the first half of the loop that
// everyone writes first (a stream seek to every record, a linear look-up of every key).
#include "core/base/assert.h"
#include "core/checkpoint/checkpoint_reader.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/checkpoint/pickle_builder.h"

#include <benchmark/benchmark.h>
#include <fstream>

using namespace firstbad;
using namespace firstbad::core;

namespace {

constexpr int kTensors = 10'000;
constexpr std::int64_t kElements = 64;

const std::string& checkpointPath()
{
    static const test::TempFolder folder;
    static const std::string path = [] {
        test::PickledPairs pairs;
        for (int i = 0; i < kTensors; ++i)
            pairs.emplace_back("layers." + std::to_string(i) + ".weight",
                test::pickledTensor({"FloatStorage", std::to_string(i), kElements, 0,
                    {8, kElements / 8}, {kElements / 8, 1}}));
        test::ZipBuilder zip;
        zip.add(test::plainItem("m/data.pkl", test::pickle(test::pickledDict(pairs))));
        const std::string data = test::floatBytes(kElements);
        for (int i = 0; i < kTensors; ++i)
            zip.add(test::plainItem("m/data/" + std::to_string(i), data));
        zip.add(test::plainItem("m/version", "3\n"));
        return folder.write("m.pt", zip.bytes()).string();
    }();
    return path;
}

/// Positions of the records by the loop that everyone writes first.
std::size_t openNaively(const std::string& path)
{
    std::ifstream stream(path, std::ios::binary);
    std::vector<std::pair<std::string, std::uint64_t>> records;
    std::string header(30, '\0');
    std::uint64_t at = 0;
    while (records.size() < kTensors + 1U) {
        stream.seekg(static_cast<std::streamoff>(at));
        stream.read(header.data(), 30);
        const auto number = [&](std::size_t place) {
            return static_cast<unsigned char>(header[place])
                + 256U * static_cast<unsigned char>(header[place + 1]);
        };
        std::string name(number(26), '\0');
        stream.read(name.data(), static_cast<std::streamsize>(name.size()));
        const std::uint64_t data = at + 30 + name.size() + number(28);
        // Without the directory the size is not known: look for the descriptor.
        stream.seekg(static_cast<std::streamoff>(data));
        std::uint64_t end = data;
        for (std::string window; window != "PK\x07\x08"; ++end) {
            window += static_cast<char>(stream.get());
            if (window.size() > 4)
                window.erase(0, 1);
        }
        at = end + 12;
        records.emplace_back(std::move(name), data);
    }
    std::size_t found = 0;
    for (int i = 0; i < kTensors; ++i) {
        const std::string name = "m/data/" + std::to_string(i);
        for (const auto& record : records) {
            if (record.first == name) {
                ++found;
                break;
            }
        }
    }
    return found;
}

void openTorchSave(benchmark::State& state)
{
    JobContext job;
    const auto checked = openCheckpoint(checkpointPath(), "m.pt", job);
    FB_ASSERT(checked && checked->damage.empty());
    FB_ASSERT(checked->tensors.size() == kTensors);
    FB_ASSERT(checked->tensors.back().name == "layers.9999.weight");
    FB_ASSERT(checked->storages.back().bytes == kElements * 4);
    for (auto _ : state)
        benchmark::DoNotOptimize(openCheckpoint(checkpointPath(), "m.pt", job));
}

void openNaive(benchmark::State& state)
{
    FB_ASSERT(openNaively(checkpointPath()) == kTensors);
    for (auto _ : state)
        benchmark::DoNotOptimize(openNaively(checkpointPath()));
}

BENCHMARK(openTorchSave)->Name("open torch.save, 10,000 tensors")->Unit(benchmark::kMillisecond);
BENCHMARK(openNaive)->Name("open torch.save, naive look-up")->Unit(benchmark::kMillisecond);

}  // namespace
