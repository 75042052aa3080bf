// SPDX-License-Identifier: GPL-3.0-or-later
// A worker without LibTorch: a gpt2 model of four blocks that goes bad at blocks.1.attn.scores.
// FAKE_WORKER=die ends it half-way through any request; FAKE_WORKER=refuse answers an error.
#include "core/protocol/replay_codec.h"
#include "core/protocol/replay_request.h"
#include "core/protocol/worker_message.h"
#include "tests/support/replay_example.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace firstbad;

namespace {

constexpr std::int64_t kBlocks = 4;
constexpr std::int64_t kBad = 1;

void say(const std::string& line)
{
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
}

/// The last cell that a probe stands for: an op, or the output of a block.
core::ReplayCell cellOf(const std::string& probe)
{
    core::ReplayCell at;
    for (std::int64_t block = -1; block <= kBlocks; ++block) {
        for (const auto op : core::opsOf("gpt2", block, kBlocks)) {
            at = test::exampleCell(block, op, kBad);
            if (core::locusOf(block, op, kBlocks) == probe)
                return at;
        }
        if (core::boundaryOf(block, kBlocks) == probe)
            return at;
    }
    return at;
}

std::string probeJson(const std::string& probe)
{
    core::ProbeResult result;
    result.cell = cellOf(probe);
    const bool bad = result.cell->state != core::CellState::Finite;
    result.step = {probe, bad ? "bad" : "good", 1, ""};
    if (bad)
        result.firstBad = test::examplePlace(kBad);
    return core::probeResultJson(result);
}

std::string sweep(std::int64_t id, bool die)
{
    auto result = test::exampleSweep("gpt2", kBlocks, kBad);
    result.steps = {{"blocks.1", "bad", 2, "NaN 10"}};
    say(core::encodeProgress(id, "forward", 1, 4));
    say(core::encodeFinding(id, core::firstBadFinding(*result.firstBad)));
    if (die)
        std::abort();
    for (const auto& lane : core::kReplayLanes) {
        const auto& cells = result.lanes.*lane.cells;
        for (const auto& finding :
            cells ? core::cellFindings(lane.name, *cells) : std::vector<std::string>())
            say(core::encodeFinding(id, finding));
    }
    return core::replaySummaryJson(result);
}

std::string answer(const core::WorkerRequest& request, bool die)
{
    if (request.method == "matrix")
        return core::matrixResultJson(
            {{{"precision", "fp16", "fp16", true, "yes", test::examplePlace(kBad), {}, {}}},
                std::vector<std::int64_t>{kBad}, true});
    if (request.method == "isolate")
        return core::isolateResultJson({{{1}}, true, {{1, test::examplePlace(kBad)}}, {}, {"2"}});
    if (request.method == "probe")
        return probeJson(core::parseReplayRequest(request.paramsJson)->probe);
    return request.method == "shutdown" ? "{}" : sweep(request.id, die);
}

}  // namespace

int main()
{
    const char* named = std::getenv("FAKE_WORKER");
    const std::string mode = named != nullptr ? named : "";
    say(core::encodeHello({"0", "0", {}, {}, {"gpt2"}}));
    std::string line;
    for (int byte = std::getchar(); byte != EOF; byte = std::getchar()) {
        if (byte != '\n') {
            line.push_back(static_cast<char>(byte));
            continue;
        }
        const auto request = core::parseRequest(line);
        line.clear();
        if (!request)
            return 1;
        if (mode == "refuse" && request->method != "shutdown")
            say(core::encodeError(
                request->id, {core::ErrorCode::Malformed, "The weights lie.", {}, {}, ""}));
        else
            say(core::encodeResult(request->id, answer(*request, mode == "die")));
        if (request->method == "shutdown")
            return 0;
    }
    return 0;
}
