// SPDX-License-Identifier: GPL-3.0-or-later
// Opening safetensors of 10,000 tensors: our reader against a JSON document read as a whole.
#include "core/base/assert.h"
#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/checkpoint/checkpoint_reader.h"
#include "core/checkpoint/safetensors/writer.h"
#include "tests/support/temp_folder.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

using namespace firstbad::core;

namespace {

constexpr int kTensors = 10'000;

/// Small tensors with the names of a deep model; the cost of opening is in their number.
const std::filesystem::path& model()
{
    static const firstbad::test::TempFolder folder;
    static const std::filesystem::path path = [] {
        std::vector<SafetensorsPlan> plan;
        for (int i = 0; i < kTensors; ++i)
            plan.push_back(
                {fmt::format("model.layers.{}.self_attn.q_proj.weight_{}", i / 10, i % 10),
                    ElementType::BFloat16, {4, 8}});
        auto made = folder.path() / "model.safetensors";
        auto writer = SafetensorsWriter::create(made, plan);
        FB_ASSERT(writer);
        const std::string bytes(kTensors * 64, '\0');
        FB_ASSERT(writer->append(std::span(bytes.data(), bytes.size())) && writer->finish());
        return made;
    }();
    return path;
}

void openOurs(benchmark::State& state)
{
    JobContext job;
    for (auto _ : state) {
        const auto checkpoint = openCheckpoint(model(), "model.safetensors", job);
        if (!checkpoint || checkpoint->tensors.size() != kTensors || !checkpoint->damage.empty())
            state.SkipWithError("wrong answer");
    }
    state.SetItemsProcessed(state.iterations() * kTensors);
}

/// What a quick script does: the whole header as a document, then its members.
void openNaively(benchmark::State& state)
{
    for (auto _ : state) {
        const auto file = readWholeFile(model(), std::uint64_t{64} << 20U);
        FB_ASSERT(file);
        std::uint64_t length = 0;
        for (unsigned i = 8; i-- > 0;)
            length = (length << 8U) | static_cast<unsigned char>((*file)[i]);
        const auto json = parseJson(std::string_view(*file).substr(8, length));
        std::size_t tensors = 0;
        for (const auto& [name, entry] : json.value().members)
            tensors += entry.find("data_offsets") != nullptr ? 1U : 0U;
        if (tensors != kTensors)
            state.SkipWithError("wrong answer");
    }
    state.SetItemsProcessed(state.iterations() * kTensors);
}

}  // namespace

BENCHMARK(openOurs)->Unit(benchmark::kMillisecond);
BENCHMARK(openNaively)->Unit(benchmark::kMillisecond);
