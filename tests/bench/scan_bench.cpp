// SPDX-License-Identifier: GPL-3.0-or-later
// scanCheckpoint() of a bf16 safetensors file in the page cache against one pass of pread and a sum
// of words over the same file with as many threads. The one planted NaN is asserted first.
#include "core/base/file.h"
#include "core/checkpoint/checkpoint.h"
#include "core/scan/scan_checkpoint.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace {

using namespace firstbad::core;

constexpr std::uint64_t kTensorBytes = std::uint64_t{16} << 20U;
constexpr std::uint64_t kTensors = 32;
constexpr std::size_t kPiece = std::size_t{1} << 20U;

/// A file of 512 MiB: ones in bf16, one NaN in the last tensor.
class BenchFile
{
public:
    BenchFile()
        : m_path(std::filesystem::temp_directory_path() / "firstbad-scan-bench.bin")
    {
        std::vector<std::uint16_t> ones(kTensorBytes / 2, 0x3F80);
        std::ofstream out(m_path, std::ios::binary);
        for (std::uint64_t t = 0; t < kTensors; ++t) {
            if (t + 1 == kTensors)
                ones[12345] = 0x7FC0;
            out.write(reinterpret_cast<const char*>(ones.data()),
                static_cast<std::streamsize>(kTensorBytes));
        }
    }
    ~BenchFile()
    {
        std::error_code ignored;
        std::filesystem::remove(m_path, ignored);
    }
    BenchFile(const BenchFile&) = delete;
    BenchFile& operator=(const BenchFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }

    [[nodiscard]] Checkpoint describe() const
    {
        Checkpoint checkpoint;
        checkpoint.files.push_back({m_path.string(), {}, kTensorBytes * kTensors});
        for (std::uint64_t t = 0; t < kTensors; ++t) {
            Storage storage;
            storage.type = ElementType::BFloat16;
            storage.offset = t * kTensorBytes;
            storage.bytes = storage.storedBytes = storage.declaredBytes = kTensorBytes;
            checkpoint.storages.push_back(storage);
            CheckpointTensor tensor;
            tensor.name = std::to_string(t);
            tensor.type = ElementType::BFloat16;
            tensor.shape = {static_cast<std::int64_t>(kTensorBytes / 2)};
            tensor.pieces.push_back({static_cast<std::uint32_t>(t), 0, {0}, tensor.shape, {1}});
            checkpoint.tensors.push_back(tensor);
        }
        return checkpoint;
    }

private:
    std::filesystem::path m_path;
};

const BenchFile& benchFile()
{
    static const BenchFile file;
    return file;
}

std::uint64_t sumOfFile(const InputFile& file, unsigned threads)
{
    std::atomic<std::uint64_t> next{0};
    std::atomic<std::uint64_t> total{0};
    {
        std::vector<std::jthread> workers;
        for (unsigned i = 0; i < threads; ++i)
            workers.emplace_back([&] {
                std::vector<std::uint64_t> words(kPiece / 8);
                const std::span<char> bytes(reinterpret_cast<char*>(words.data()), kPiece);
                std::uint64_t sum = 0;
                for (std::uint64_t at = next.fetch_add(kPiece); at < kTensorBytes * kTensors;
                     at = next.fetch_add(kPiece)) {
                    if (!file.readAt(at, bytes))
                        return;
                    for (const std::uint64_t word : words)
                        sum += word;
                }
                total += sum;
            });
    }
    return total;
}

void onePassOfSums(benchmark::State& state)
{
    const auto file = InputFile::open(benchFile().path());
    if (!file) {
        state.SkipWithError("the file cannot be opened");
        return;
    }
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    for (auto _ : state)
        benchmark::DoNotOptimize(sumOfFile(*file, threads));
    state.SetBytesProcessed(
        state.iterations() * static_cast<std::int64_t>(kTensorBytes * kTensors));
}

void scanOfFile(benchmark::State& state)
{
    const Checkpoint checkpoint = benchFile().describe();
    JobContext job;
    const auto first = scanCheckpoint(checkpoint, {}, job);
    if (!first || first->tensors.back().stats.firstBad != 12345U || badTensors(*first) != 1) {
        state.SkipWithError("the planted NaN was not found at its place");
        return;
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(scanCheckpoint(checkpoint, {}, job));
    state.SetBytesProcessed(
        state.iterations() * static_cast<std::int64_t>(kTensorBytes * kTensors));
}

BENCHMARK(onePassOfSums)->UseRealTime();
BENCHMARK(scanOfFile)->UseRealTime();

}  // namespace
