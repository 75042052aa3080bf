// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/judge_file.h"
#include "core/judge/rules.h"
#include "core/scan/scan_checkpoint.h"
#include "tests/support/catch.h"
#include "tests/support/checkpoint_builder.h"

#include <algorithm>
#include <limits>

using namespace firstbad;
using namespace firstbad::core;
using firstbad::test::CheckpointBuilder;

namespace {

/// Values that no rule objects to: none is zero, rows are of like size.
std::vector<float> ordinary(std::size_t count)
{
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = (i % 2 == 0 ? 1.0F : -1.0F) * (0.5F + static_cast<float>(i % 7) * 0.01F);
    return values;
}

std::vector<CheckpointWarning> judge(CheckpointBuilder& builder)
{
    JobContext job;
    auto scan = scanCheckpoint(builder.write(), {}, job);
    REQUIRE(scan);
    REQUIRE(judgeFile(*scan, job));
    return scan->checkpoint.warnings;
}

const CheckpointWarning* find(const std::vector<CheckpointWarning>& warnings, std::string_view code)
{
    const auto found = std::find_if(warnings.begin(), warnings.end(),
        [code](const CheckpointWarning& warning) { return warning.code == code; });
    return found == warnings.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("Exact zeros in a norm gain are named with their number and place", "[judge]")
{
    CheckpointBuilder builder;
    auto values = ordinary(64);
    values[10] = 0.0F;
    values[20] = -0.0F;
    builder.addPlain("model.layers.0.input_layernorm.weight", builder.addStorage(values), {64});
    builder.addPlain("model.layers.0.input_layernorm.bias",
        builder.addStorage(std::vector<float>(64, 0.0F)), {64});
    const auto warnings = judge(builder);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].code == "zero-scale");
    CHECK(warnings[0].count == 2U);
    CHECK(warnings[0].index == 10);
    CHECK(closesGate(warnings[0].code));
}

TEST_CASE("A gain that is zero throughout is a convention, not a loss", "[judge]")
{
    CheckpointBuilder builder;
    builder.addPlain("norm.weight", builder.addStorage(std::vector<float>(64, 0.0F)), {64});
    CHECK(judge(builder).empty());
}

TEST_CASE("Zero block scales of an 8-bit optimizer are named", "[judge]")
{
    CheckpointBuilder builder;
    auto values = ordinary(16);
    values[3] = values[4] = 0.0F;
    builder.addPlain("state.2.absmax2", builder.addStorage(values), {16}).kind
        = TensorKind::Optimizer;
    const auto warnings = judge(builder);
    REQUIRE(find(warnings, "zero-scale") != nullptr);
    CHECK(find(warnings, "zero-scale")->count == 2U);
}

TEST_CASE("A second moment below zero cannot be", "[judge]")
{
    CheckpointBuilder builder;
    auto values = std::vector<float>(32, 0.25F);
    values[9] = -0.5F;
    builder.addPlain("state.7.exp_avg_sq", builder.addStorage(values), {32}).kind
        = TensorKind::Optimizer;
    const auto warnings = judge(builder);
    REQUIRE(find(warnings, "negative-second-moment") != nullptr);
    CHECK(find(warnings, "negative-second-moment")->index == 9);
    CHECK(find(warnings, "negative-second-moment")->value == -0.5);
}

TEST_CASE("Squares that were lost where the mean was not are counted", "[judge]")
{
    CheckpointBuilder builder;
    std::vector<float> means(32, 0.0F);
    std::vector<float> squares(32, 0.0F);
    for (std::size_t i = 0; i < 20; ++i)
        means[i] = 1e-6F;
    for (std::size_t i = 0; i < 15; ++i)
        squares[i] = 1e-12F;
    builder.addPlain("state.0.exp_avg", builder.addStorage(means), {32}).kind
        = TensorKind::Optimizer;
    builder.addPlain("state.0.exp_avg_sq", builder.addStorage(squares), {32}).kind
        = TensorKind::Optimizer;
    const auto warnings = judge(builder);
    REQUIRE(find(warnings, "moment-underflow") != nullptr);
    CHECK(find(warnings, "moment-underflow")->count == 5U);
    CHECK(find(warnings, "moment-underflow")->index == 15);
}

TEST_CASE("Dead rows and rows far too large are named; a padding row is neither", "[judge]")
{
    CheckpointBuilder builder;
    auto values = ordinary(40 * 8);
    for (std::size_t i = 0; i < 8; ++i) {
        values[5 * 8 + i] = 0.0F;
        values[9 * 8 + i] = 0.0F;
        values[20 * 8 + i] *= 100.0F;
    }
    builder.addPlain("model.embed_tokens.weight", builder.addStorage(values), {40, 8});
    const auto warnings = judge(builder);
    REQUIRE(find(warnings, "dead-rows") != nullptr);
    CHECK(find(warnings, "dead-rows")->rows == std::vector<std::int64_t>{5, 9});
    REQUIRE(find(warnings, "row-norm-outlier") != nullptr);
    CHECK(find(warnings, "row-norm-outlier")->rows == std::vector<std::int64_t>{20});

    CheckpointBuilder padded;
    auto first = ordinary(40 * 8);
    std::fill(first.begin(), first.begin() + 8, 0.0F);
    std::fill(first.end() - 24, first.end(), 0.0F);
    padded.addPlain("model.embed_tokens.weight", padded.addStorage(first), {40, 8});
    CHECK(judge(padded).empty());
}

TEST_CASE("What three layers lack and the others have is missing", "[judge]")
{
    CheckpointBuilder builder;
    const auto storage = builder.addStorage(ordinary(16));
    for (int layer = 0; layer < 12; ++layer) {
        const std::string name = "decoder.layers." + std::to_string(layer);
        builder.addPlain(name + ".mlp.fc1.weight", storage, {4, 4});
        if (layer != 3 && layer != 7)
            builder.addPlain(name + ".mlp.fc1.meta", storage, {16});
    }
    const auto warnings = judge(builder);
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[0].code == "missing-keys");
    CHECK(warnings[0].tensor == "decoder.layers.3.mlp.fc1.meta");
    CHECK(warnings[1].tensor == "decoder.layers.7.mlp.fc1.meta");
}

TEST_CASE("A layer of another kind lacks nothing", "[judge]")
{
    CheckpointBuilder builder;
    const auto storage = builder.addStorage(ordinary(16));
    for (int layer = 0; layer < 12; ++layer) {
        const std::string name = "layers." + std::to_string(layer);
        const std::string kind = layer % 6 == 5 ? ".attention.q.weight" : ".mamba.in.weight";
        builder.addPlain(name + kind, storage, {4, 4});
        builder.addPlain(name + ".mlp.weight", storage, {4, 4});
    }
    CHECK(judge(builder).empty());
}

TEST_CASE("Weights that fp16 cannot hold are counted when the config says fp16", "[judge]")
{
    CheckpointBuilder builder;
    auto values = ordinary(64);
    values[30] = 70000.0F;
    values[31] = -65520.0F;
    values[32] = 65519.0F;
    builder.addPlain("layers.1.mlp.down_proj.weight", builder.addStorage(values), {8, 8});
    CHECK(judge(builder).empty());
    builder.checkpoint().texts.push_back({"config.torch_dtype", "float16"});
    const auto warnings = judge(builder);
    REQUIRE(find(warnings, "cast-overflow") != nullptr);
    CHECK(find(warnings, "cast-overflow")->count == 2U);
    CHECK(find(warnings, "cast-overflow")->index == 30);
}

TEST_CASE("A file whose end is zero was not written in full", "[judge]")
{
    CheckpointBuilder builder;
    auto values = ordinary(400);
    std::fill(values.begin() + 250, values.end(), 0.0F);
    builder.addPlain("a.weight", builder.addStorage(ordinary(400)), {20, 20});
    builder.addPlain("b.weight", builder.addStorage(values), {20, 20});
    builder.addPlain("c.weight", builder.addStorage(std::vector<float>(400, 0.0F)), {20, 20});
    const auto warnings = judge(builder);
    REQUIRE(find(warnings, "zero-tail") != nullptr);
    CHECK(find(warnings, "zero-tail")->tensor == "b.weight");
    CHECK(find(warnings, "zero-tail")->index == 250);
    CHECK(find(warnings, "all-zero") != nullptr);
}

TEST_CASE("An fp8 scale and its inverse must fit, and so must the recorded maximum", "[judge]")
{
    CheckpointBuilder builder;
    auto weight = ordinary(64);
    weight[5] = 8.0F;
    builder.addPlain("fc1.weight", builder.addStorage(weight), {8, 8});
    builder.addPlain("fc1.scale_fwd", builder.addStorage({4.0F, 4480.0F, 2.0F}), {3});
    builder.addPlain("fc1.scale_inv_fwd", builder.addStorage({0.25F, 0.5F, 0.5F}), {3});
    builder.addPlain(
        "fc1.amax_history_fwd", builder.addStorage({9.0F, 0.05F, 9.0F, 9.0F, 0.1F, 9.0F}), {2, 3});
    const auto warnings = judge(builder);
    REQUIRE(find(warnings, "fp8-scale-inverse") != nullptr);
    CHECK(find(warnings, "fp8-scale-inverse")->index == 1);
    REQUIRE(find(warnings, "fp8-amax-stale") != nullptr);
    CHECK(find(warnings, "fp8-amax-stale")->tensor == "fc1.weight");
    CHECK(find(warnings, "fp8-amax-stale")->value == 8.0);
}

TEST_CASE("Copies of one tensor on two ranks must agree", "[judge]")
{
    CheckpointBuilder builder;
    auto values = ordinary(16);
    const auto first = builder.addStorage(values);
    values[2] += 0.001F;
    const auto second = builder.addStorage(values);
    builder.addPlain("mp_rank_00.model.layers.0.input_norm.weight", first, {16});
    builder.addPlain("mp_rank_01.model.layers.0.input_norm.weight", second, {16});
    builder.addPlain("mp_rank_00.model.layers.0.fc1.weight", first, {16});
    builder.addPlain("mp_rank_01.model.layers.0.fc1.weight", second, {16});
    const auto warnings = judge(builder);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].code == "replica-mismatch");
}
