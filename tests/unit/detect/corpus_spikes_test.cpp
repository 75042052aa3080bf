// SPDX-License-Identifier: GPL-3.0-or-later
// Real logs whose spikes are known, and real logs that are quiet: counts what the rules find.
//
// Truth is what the corpus says of each file (MANIFEST.tsv). The bars are those of the product's
// design: 17 of 19 in full runs, 7 of 9 in excerpts, no alarm in the quiet ones.
#include "core/detect/judge.h"
#include "core/import/load.h"
#include "tests/support/catch.h"
#include "tests/support/corpus.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace firstbad::core;
using firstbad::test::corpusFolder;

struct KnownSpikes {
    const char* path;  ///< below realdata
    std::vector<std::int64_t> steps;
    std::int64_t tolerance;
};

const char* const kModded = "nanogpt/KellerJordan+modded-nanogpt/records/track_1_short/";
const char* const kGolf = "nanogpt/openai+parameter-golf/records/";

std::vector<KnownSpikes> fullRuns()
{
    return {
        {"2024-10-10_Muon", {524, 741, 888, 919, 947}, 0},
        {"2024-12-04_ValueEmbed", {523, 887, 918, 946, 1105}, 0},
        {"2024-11-10_ScaleShortcuts", {524, 741, 888, 919, 947, 1106, 14221}, 0},
        {"2024-11-14_QuantizedFP4", {14257}, 0},
        {"2024-10-20_ScaleUp1B", {4454}, 0},
        {"nanogpt/SiddanthEmani+GPT-2-124M-CUDA", {4867, 8715, 10053, 14754}, 0},
        {"track_10min_16mb/2026-03-17_NaiveBaseline", {2}, 0},
        {"track_10min_16mb/2026-03-19_Seq2048_FP16Emb_TunedLR", {6}, 4},
        {"track_non_record_16mb/2026-03-18_Quasi10Bfrom50B_SP1024_9x512_KV4_4h_pgut3", {262400}, 0},
        {"track_non_record_16mb/2026-04-04_GDN_Hybrid_LongContext", {2}, 0},
        {"megatron_golden/NVIDIA+Megatron-LM/tests/functional_tests/test_cases/bert/bert_release",
            {8940}, 0},
    };
}

std::vector<KnownSpikes> excerpts()
{
    const auto chronicle = "chronicles/bigscience-workshop+bigscience/train/";
    static const std::string kTr1 = std::string(chronicle) + "tr1-13B-base";
    static const std::string kTr8 = std::string(chronicle) + "tr8-104B-wide";
    static const std::string kTr11 = std::string(chronicle) + "tr11-176B-ml/chronicles.md";
    return {
        {kTr1.c_str(), {29050}, 0}, {kTr8.c_str(), {6930, 7010, 8741, 11448}, 1},
        {kTr11.c_str(), {31215}, 1}, {"issues/ml-explore+mlx-examples", {100}, 0},
        {"issues/NVIDIA-NeMo+Megatron-Bridge", {2}, 2},  // a norm of 1000 that settles at 1
        {"issues/mozilla+DeepSpeech", {6275}, 0},  // cut before the number
    };
}

const std::vector<const char*> kQuiet{
    "megatron_golden/NVIDIA+Megatron-LM/tests/functional_tests/test_cases/gpt",
    "megatron_golden/NVIDIA+Megatron-LM/tests/functional_tests/test_cases/bert/"
    "bert_mcore_tp2_pp2_resume_torch_dist",
    "lightning_csv",
    "hf",
    "wandb",
    "mlperf",
    "tfevents",
    "transcribed",
    "megatron/liguodongiot+llm-action",
    "fairseq",
};

fs::path placeOf(std::string_view path)
{
    const fs::path root = corpusFolder() / "realdata";
    if (path.substr(0, 6) == "track_")
        return root / kGolf / path;
    return path.substr(0, 4) == "2024" ? root / kModded / path : root / path;
}

std::vector<Incident> spikesIn(const fs::path& path)
{
    JobContext job;
    const std::vector<fs::path> paths{path};
    auto dataset = loadPaths(paths, {}, job);
    REQUIRE(dataset);
    std::vector<Incident> spikes;
    for (const RunPtr& run : (*dataset)->runs) {
        auto judgement = judge(*run, (*dataset)->sources, Settings(), job);
        REQUIRE(judgement);
        std::copy_if(judgement->incidents.begin(), judgement->incidents.end(),
            std::back_inserter(spikes), [](const Incident& one) {
                return one.kind == IncidentKind::LossSpike || one.kind == IncidentKind::GradSpike;
            });
    }
    return spikes;
}

bool isFound(const std::vector<Incident>& spikes, std::int64_t step, std::int64_t tolerance)
{
    const auto isThere
        = [&](std::optional<std::int64_t> at) { return at && std::abs(*at - step) <= tolerance; };
    return std::any_of(spikes.begin(), spikes.end(), [&](const Incident& one) {
        return isThere(one.onsetStep)
            || std::any_of(one.evidence.begin(), one.evidence.end(),
                [&](const Evidence& evidence) { return isThere(evidence.step); });
    });
}

struct Score {
    int found = 0;
    int known = 0;
};

Score scoreOf(const std::vector<KnownSpikes>& logs)
{
    Score score;
    for (const KnownSpikes& log : logs) {
        const auto spikes = spikesIn(placeOf(log.path));
        for (const std::int64_t step : log.steps) {
            const bool found = isFound(spikes, step, log.tolerance);
            score.found += found ? 1 : 0;
            ++score.known;
            if (!found)
                std::cout << "  missed: step " << step << " of " << log.path << '\n';
        }
    }
    return score;
}

bool hasRealLogs()
{
    if (fs::exists(corpusFolder() / "realdata"))
        return true;
    std::cout << "SKIPPED: the corpus has no real logs (realdata)\n";
    return false;
}

}  // namespace

TEST_CASE("spikes of real runs are found at the rate of the design", "[detect][corpus]")
{
    if (!hasRealLogs())
        return;
    const Score full = scoreOf(fullRuns());
    std::cout << "real spikes: " << full.found << " of " << full.known << " in full runs\n";
    CHECK(full.found * 19 >= full.known * 17);
    const Score cut = scoreOf(excerpts());
    std::cout << "real spikes: " << cut.found << " of " << cut.known << " in excerpts\n";
    CHECK(cut.found * 9 >= cut.known * 7);
}

TEST_CASE("quiet real runs raise no spike", "[detect][corpus]")
{
    if (!hasRealLogs())
        return;
    for (const char* folder : kQuiet) {
        for (const Incident& one : spikesIn(placeOf(folder))) {
            CAPTURE(folder, one.run, one.onsetStep, one.title);
            CHECK(one.verdict == IncidentClass::Benign);
        }
    }
    std::cout << "quiet real logs: " << kQuiet.size() << " folders judged\n";
}
