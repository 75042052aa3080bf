// SPDX-License-Identifier: GPL-3.0-or-later
// Reading, verifying and joining the ledgers of many ranks. FIRSTBAD_LEDGER_RANKS and
// FIRSTBAD_LEDGER_STEPS choose the size: 100 x 1,000 by default, 1000 and 10000 are the goal.
#include "core/base/hash.h"
#include "core/ledger/ledger_file.h"
#include "core/ledger/ledger_report.h"
#include "tests/support/temp_folder.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <vector>

namespace {

using namespace firstbad::core;

constexpr int kBadRankOf = 3;  // of the last step, with a loss that is NaN

int sizeFrom(const char* name, int otherwise)
{
    const char* const said = std::getenv(name);
    const int size = said != nullptr ? std::atoi(said) : 0;
    return size > 0 ? size : otherwise;
}

/// Lines with every field of the contract, as the recorder writes them.
std::string ledgerText(int rank, int ranks, int steps)
{
    std::mt19937 random(static_cast<unsigned>(rank));
    std::normal_distribution<double> noise(2.0, 0.05);
    std::mt19937 shared(1);  // the norm of a step is the same on all ranks
    std::string text;
    std::string line = fmt::format(
        R"({{"kind":"header","prev":"","firstbad_ledger":1,"run_id":"bench","attempt":1,"rank":{},"world_size":{},"dp_rank":{},"tp_rank":0,"pp_rank":0,"precision":"fp16","scale_policy":{{"name":"torch-gradscaler"}}}})",
        rank, ranks, rank);
    Sha256 hash;
    for (int step = 0; step <= steps; ++step) {
        hash.restart();
        hash.add(line);
        const std::string previous = hash.finish(16);
        text += line;
        text += '\n';
        const bool bad = step == steps - 1 && rank == kBadRankOf;
        const double norm = noise(shared);
        line = fmt::format(
            R"({{"kind":"step","prev":"{}","step":{},"micro_step":0,"global_batch_id":{},"shard_id":{},"sample_ids":[{},{}],"loss":{},"loss_scale":65536.0,"loss_scale_after":65536.0,"learning_rate":0.0001,"total_grad_norm":{:.6f},"grad_norm_of":"unscaled","skipped_step":false,"local_bad":{},"global_bad":false,"first_bad_stage":null,"optimizer_steps":{},"schedule_steps":{},"consumed_samples":{},"consumed_tokens":{},"input":{{"rows":2,"tokens":1024,"valid_targets":1012,"id_min":4,"id_max":49613,"nonfinite":0}},"rng_state_hash":"b25f68b5","checkpoint_parent":null,"time":"2031-02-03T04:05:07.533Z"}})",
            previous, step, step, rank, step * ranks * 2 + rank * 2,
            step * ranks * 2 + rank * 2 + 1, bad ? "\"NaN\"" : fmt::format("{:.5f}", noise(random)),
            norm, bad, step + 1, step + 1, (step + 1) * ranks * 2, (step + 1) * ranks * 1024);
    }
    return text;
}

struct Input {
    firstbad::test::TempFolder folder;
    std::vector<LedgerPath> paths;
    std::uint64_t bytes = 0;
    int ranks = sizeFrom("FIRSTBAD_LEDGER_RANKS", 100);
    int steps = sizeFrom("FIRSTBAD_LEDGER_STEPS", 1000);
};

const Input& input()
{
    static const auto made = [] {
        auto all = std::make_unique<Input>();
        for (int rank = 0; rank < all->ranks; ++rank) {
            const std::string text = ledgerText(rank, all->ranks, all->steps);
            const auto path = all->folder.write(fmt::format("rank{:05}.ledger.jsonl", rank), text);
            all->bytes += text.size();
            all->paths.push_back({path, path.filename().string()});
        }
        return all;
    }();
    return *made;
}

bool isRight(const Input& in, const std::vector<RankLedgerPtr>& ledgers,
    const std::vector<LedgerReport>& reports)
{
    if (reports.size() != 1 || reports[0].attempts.size() != 1)
        return false;
    const LedgerAttempt& attempt = reports[0].attempts[0];
    return ledgers.size() == in.paths.size() && !ledgers.back()->brokenAt
        && attempt.group.keys().size() == static_cast<std::size_t>(in.steps)
        && attempt.disagreements.total == 0 && attempt.bad.first
        && attempt.bad.first->step == in.steps - 1
        && attempt.bad.origins == std::vector<std::int32_t>{kBadRankOf};
}

void readAndJoin(benchmark::State& state)
{
    const Input& in = input();
    std::size_t memory = 0;
    for (auto _ : state) {
        JobContext job;
        const auto ledgers = readLedgers(in.paths, job);
        const auto reports = ledgers
            ? reportLedgers(*ledgers, job)
            : Result<std::vector<LedgerReport>>(std::vector<LedgerReport>());
        if (!ledgers || !reports || !isRight(in, *ledgers, *reports)) {
            state.SkipWithError("the bad rank was not found");
            return;
        }
        memory = 0;
        for (const RankLedgerPtr& ledger : *ledgers)
            memory += ledger->memoryBytes();
    }
    const auto lines = static_cast<double>(in.ranks) * in.steps;
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(in.bytes));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(lines));
    state.counters["bytes_a_line"] = static_cast<double>(memory) / lines;
    state.counters["memory_MB"] = static_cast<double>(memory) / 1e6;
}
BENCHMARK(readAndJoin)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
