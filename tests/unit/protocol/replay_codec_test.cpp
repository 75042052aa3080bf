// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/replay_codec.h"
#include "core/protocol/replay_request.h"
#include "core/protocol/worker_message.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

#include <cmath>
#include <limits>

using namespace firstbad::core;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

ReplayPlace scoresPlace()
{
    ReplayPlace place{"forward", 1, "attn.scores", "blocks.1.attn.scores", "output", "Infinity",
        {1, 2, 7, 3}, 0, true, true, {}};
    place.operands.push_back({"query row", {1, 2, 7}, {250.0, -8.5}, "2 of 8 values"});
    return place;
}

ReplayResult exampleResult()
{
    ReplayResult result;
    result.capsule = "step.capsule";
    result.device = "cpu";
    result.precision = "fp16";
    result.fidelity = {{"weights", "same", "SHA-256 507ae33f"}, {"dropout", "off", ""}};
    result.reproduced = "yes";
    result.blocks = 2;
    result.loss = kNaN;
    result.gradNorm = kNaN;
    result.foundInf = true;
    result.skipped = true;
    result.lanes.forward = {{"", 0, -1, "embedding", CellState::Finite, 0, 0, 0, 1.75, false},
        {"", 0, 1, "attn.scores", CellState::Inf, 0, 1, 0, 65504.0, true}};
    result.lanes.grad = std::vector<ReplayCell>{};
    result.firstBad = scoresPlace();
    result.entryBad = {{"wte", "param", 1, 0, 0, {5, 3}}};
    result.findings = {{"row-collapsed", "error", "forward", 0, "ln_1", 1, 0, std::nullopt, 255.0,
        "gives exact zeros"}};
    result.steps = {{"blocks.1", "bad", 2, "1 +Inf"}};
    result.verdictKind = "nonfinite-loss";
    result.verdictClass = "fault";
    result.verdictWhy = "the product passes 65504";
    result.cost = {1.25, 0.5};
    return result;
}

std::string roundTrip(const ReplayResult& result)
{
    const auto json = parseJson(replayResultJson(result));
    REQUIRE(json);
    const auto parsed = parseReplayResult(*json);
    REQUIRE(parsed);
    return replayResultJson(*parsed);
}

}  // namespace

TEST_CASE("a result is read back as it was written", "[core][protocol]")
{
    CHECK(roundTrip(exampleResult()) == replayResultJson(exampleResult()));
    CHECK(roundTrip({}) == replayResultJson({}));
    CHECK_THAT(replayResultJson(exampleResult()), ContainsSubstring(R"("loss":"NaN")"));
    CHECK_THAT(replayResultJson(exampleResult()), ContainsSubstring(R"("backward":null)"));
    CHECK_THAT(replayResultJson(exampleResult()), ContainsSubstring(R"("grad":[])"));
}

TEST_CASE("cells travel in findings of a thousand and are joined again", "[core][protocol]")
{
    ReplayResult result = exampleResult();
    result.lanes.backward.emplace();
    for (std::int64_t block = 0; block < 2500; ++block)
        result.lanes.backward->push_back(
            {"", 0, block, "ln_1", CellState::NaN, 1, 0, 0, 1.0, false});
    ReplayAssembler assembler;
    std::size_t lines = 0;
    for (const auto& lane : kReplayLanes) {
        const auto& cells = result.lanes.*lane.cells;
        for (const auto& finding :
            cellFindings(lane.name, cells ? *cells : std::vector<ReplayCell>{})) {
            const std::string line = encodeFinding(7, finding);
            CHECK(line.size() < kMaxProtocolLineBytes);
            const auto said = parseWorkerLine(line);
            REQUIRE(said);
            CHECK(said->id == 7);
            REQUIRE(assembler.addFinding(std::get<WorkerFinding>(said->what).content));
            ++lines;
        }
    }
    CHECK(lines == 4);  // 2 forward cells, 2500 backward cells in three
    const auto said = parseWorkerLine(encodeResult(7, replaySummaryJson(result)));
    REQUIRE(said);
    const auto joined = assembler.finish(std::get<WorkerResult>(said->what).content);
    REQUIRE(joined);
    CHECK(replayResultJson(*joined) == replayResultJson(result));
}

TEST_CASE("a result whose cells did not all come is refused", "[core][protocol]")
{
    const ReplayResult result = exampleResult();
    const auto summary = parseJson(replaySummaryJson(result));
    REQUIRE(summary);
    ReplayAssembler assembler;
    const auto joined = assembler.finish(*summary);
    REQUIRE_FALSE(joined);
    CHECK_THAT(joined.error().message, ContainsSubstring("forward has 2 cells, 0 came"));

    ReplayAssembler surplus;
    const auto cells = parseJson(cellFindings("param", *result.lanes.forward).front());
    REQUIRE(surplus.addFinding(*cells));
    for (const auto& finding : cellFindings("forward", *result.lanes.forward))
        REQUIRE(surplus.addFinding(*parseJson(finding)));
    CHECK_FALSE(surplus.finish(*summary));
}

TEST_CASE("an input place has neither block nor op", "[core][protocol]")
{
    ReplayResult result;
    result.firstBad
        = ReplayPlace{"input", 0, "", "", "input_ids", "out-of-range", {1, 6}, 0, true, true, {}};
    CHECK_THAT(replayResultJson(result),
        ContainsSubstring(R"("first_bad":{"lane":"input","block":null,"op":null,"locus":null,)"
                          R"("tensor":"input_ids","kind":"out-of-range","element_index":[1,6],)"
                          R"("micro_step":0,"inputs_finite":null,"weights_finite":null,)"));
    CHECK(roundTrip(result) == replayResultJson(result));
}

TEST_CASE("the gradient norm belongs to no block", "[core][protocol]")
{
    ReplayResult result;
    result.firstBad
        = ReplayPlace{"clipped", 0, "norm", "", "grad_norm", "Infinity", {}, 0, true, true, {}};
    CHECK_THAT(replayResultJson(result),
        ContainsSubstring(R"("first_bad":{"lane":"clipped","block":null,"op":"norm",)"));
}

TEST_CASE("matrix and isolate results are read back as they were written", "[core][protocol]")
{
    MatrixResult matrix;
    matrix.cells = {{"precision", "fp16", "fp16", true, "yes", scoresPlace(), {}, kNaN},
        {"loss_scale", "fp16", "1", false, "no", {}, {}, 7.5}};
    const auto cells = parseMatrixResult(*parseJson(matrixResultJson(matrix)));
    REQUIRE(cells);
    CHECK(matrixResultJson(*cells) == matrixResultJson(matrix));
    CHECK_THAT(matrixResultJson(matrix), ContainsSubstring(R"("fp32_blocks":null)"));
    matrix.fp32Blocks = {1, 4};
    CHECK_THAT(matrixResultJson(matrix), ContainsSubstring(R"({"minimal":[1,4],"unique":true})"));

    IsolateResult isolate;
    isolate.minimalSets = {{1}, {0, 2}};
    isolate.alone = {{0, std::nullopt}, {1, scoresPlace()}};
    isolate.sampleIds = {"s1200-1"};
    const auto rows = parseIsolateResult(*parseJson(isolateResultJson(isolate)));
    REQUIRE(rows);
    CHECK(isolateResultJson(*rows) == isolateResultJson(isolate));
    CHECK_THAT(
        isolateResultJson(isolate), ContainsSubstring(R"("rows":[1],"minimal_sets":[[1],[0,2]])"));
}

TEST_CASE("a replay request is read back, and says which member does not fit", "[core][protocol]")
{
    ReplayRequest request;
    request.capsule = "/tmp/a.capsule";
    request.shownPath = "a.capsule";
    request.precision = "mixed-bf16";
    request.lossScale = 1.0;
    request.rows = {0, 3};
    request.probe = "blocks.3";
    request.microStep = 1;
    const std::string text = encodeReplayRequest(request);
    const auto parsed = parseReplayRequest(text);
    REQUIRE(parsed);
    CHECK(encodeReplayRequest(*parsed) == text);

    struct Case {
        const char* params;
        const char* why;
    };
    const auto c = GENERATE(values<Case>({
        {"{}", "\"capsule\" is missing"},
        {R"({"capsule":"a","when":"grows"})", "\"baseline\" is missing"},
        {R"({"capsule":"a","when":"sometimes"})", "can not be \"sometimes\""},
        {R"({"capsule":"a","precision":"int8"})", "\"precision\""},
        {R"({"capsule":"a","times":0})", "\"times\" is below 1"},
        {R"({"capsule":"a","rows":[1,"x"]})", "\"rows\""},
    }));
    CAPTURE(c.params);
    const auto refused = parseReplayRequest(c.params);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::InvalidArgument);
    CHECK_THAT(refused.error().message, ContainsSubstring(c.why));
}

TEST_CASE("a line that no worker may say is Malformed", "[core][protocol]")
{
    const auto* line = GENERATE("", "Traceback", "[]", "{}", R"({"id":"x","result":{}})",
        R"({"id":1,"progress":7})", R"({"hello":[]})");
    CAPTURE(line);
    const auto said = parseWorkerLine(line);
    REQUIRE_FALSE(said);
    CHECK(said.error().code == ErrorCode::Malformed);
}

TEST_CASE("a sweep's lines are those of the golden transcript", "[core][protocol]")
{
    const ReplayResult result = exampleResult();
    ReplayRequest request;
    request.capsule = "/case/step.capsule";
    request.shownPath = "step.capsule";
    std::string text;
    const auto add = [&text](const char* from, const std::string& line) {
        text += std::string(from) + " " + line + "\n";
    };
    add("<", encodeHello({"0.1.0", "2.15.0", {}, {{"cpu", "CPU", 8, {"fp32", "fp16"}}}, {"gpt2"}}));
    add(">", encodeRequest({7, "sweep", encodeReplayRequest(request)}));
    add("<", encodeProgress(7, "forward", 1, 2));
    add("<", encodeFinding(7, firstBadFinding(*result.firstBad)));
    for (const auto& finding : cellFindings("forward", *result.lanes.forward))
        add("<", encodeFinding(7, finding));
    add("<", encodeResult(7, replaySummaryJson(result)));
    add(">", encodeRequest({8, "matrix", encodeReplayRequest(request)}));
    const MatrixCell cell{"precision", "fp32", "fp32", false, "no", {}, {}, 7.5};
    add("<", encodeFinding(8, matrixCellFinding(cell)));
    add("<", encodeResult(8, matrixResultJson({{cell}, std::vector<std::int64_t>{1}, true})));
    add(">", encodeRequest({9, "bisect", encodeReplayRequest(request)}));
    add("<", encodeFinding(9, probeFinding(result.steps.front())));
    add(">", encodeRequest({10, "cancel", cancelParams(9)}));
    add("<", encodeError(9, {ErrorCode::Cancelled, "Cancelled.", {}, {}, ""}));
    add("<", encodeResult(10, "{}"));
    add(">", encodeRequest({11, "shutdown", "{}"}));
    add("<", encodeResult(11, "{}"));
    firstbad::test::checkGolden("tests/golden/protocol/sweep_transcript.txt", text);
}
