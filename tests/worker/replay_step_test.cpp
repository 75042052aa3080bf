// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of capsules that the test writes: gradients against differences of the loss, overflow at a
// known place, bad input as a sentence.
#include "core/base/compare.h"
#include "core/capsule/tensor_file.h"
#include "replay/engine/replay_engine.h"
#include "tests/support/catch.h"
#include "tests/worker/tiny_capsule.h"

#include <cmath>
#include <fmt/format.h>

namespace {

using namespace firstbad;
using Catch::Matchers::ContainsSubstring;
using test::TempFolder;
using test::TinyModel;

const std::vector<std::int64_t> kIds{0, 3, 5, 1, 6, 2, 2, 4};

core::Result<core::ReplayResult> swept(const TempFolder& folder, const TinyModel& model,
    const std::string& precision, const std::string& dump = {},
    const std::vector<std::int64_t>& ids = kIds)
{
    test::writeTiny(folder, model, precision, ids);
    const auto capsule = core::readCapsule(folder.path(), "tiny.capsule");
    if (!capsule)
        return tl::unexpected(capsule.error());
    core::JobContext job;
    auto engine = replay::ReplayEngine::open(*capsule, 0, job);
    if (!engine)
        return tl::unexpected(engine.error());
    core::ReplayRequest request;
    request.dump = dump;
    return engine->sweep(request, {}, job);
}

double lossOf(const TempFolder& folder, const TinyModel& model)
{
    const auto result = swept(folder, model, "fp64");
    REQUIRE(result);
    REQUIRE(result->loss);
    return *result->loss;
}

double gradientOf(const std::string& dump, const std::string& name, std::size_t element)
{
    const auto file = core::TensorFile::open(dump, "dump");
    REQUIRE(file);
    const auto* entry = file->find("grad/" + name);
    REQUIRE(entry != nullptr);
    double value = 0.0;
    REQUIRE(file->read(*entry, element * sizeof(double),
        std::span(reinterpret_cast<char*>(&value), sizeof(double))));
    return value;
}

TinyModel modelNamed(const std::string& family)
{
    return family == "gpt2" ? test::tinyGpt2()
        : family == "llama" ? test::tinyLlama()
                            : test::tinyGlm();
}

}  // namespace

TEST_CASE("gradients written by hand agree with differences of the loss", "[replay]")
{
    const std::string family = GENERATE("gpt2", "llama", "glm");
    const TempFolder folder;
    const TinyModel model = modelNamed(family);
    const std::string dump = (folder.path() / "dump.safetensors").string();
    REQUIRE(swept(folder, model, "fp64", dump));
    constexpr double kStep = 1e-5;
    for (std::size_t w = 0; w < model.weights.size(); ++w) {
        const std::size_t element = (5 * w + 3) % model.weights[w].values.size();
        TinyModel moved = model;
        moved.weights[w].values[element] += kStep;
        const double above = lossOf(folder, moved);
        moved.weights[w].values[element] -= 2 * kStep;
        const double below = lossOf(folder, moved);
        const double difference = (above - below) / (2 * kStep);
        const double gradient = gradientOf(dump, model.weights[w].name, element);
        CAPTURE(family, model.weights[w].name, element, gradient, difference);
        CHECK(core::within(gradient, difference, 1e-8 + 1e-6 * std::abs(difference)));
    }
}

TEST_CASE("a product above 65504 is found in fp16, and nowhere in fp32", "[replay]")
{
    TinyModel model = test::tinyGpt2();
    for (double& bias : model.weights[11].values)  // c_fc.bias
        bias = 60000.0;
    for (double& weight : model.weights[12].values)  // c_proj.weight
        weight = 1.0;
    const TempFolder folder;

    const auto half = swept(folder, model, "fp16");
    REQUIRE(half);
    REQUIRE(half->firstBad);
    CHECK(half->firstBad->locus == "blocks.0.mlp.out");  // six times 60000
    CHECK(half->firstBad->kind == "Infinity");
    CHECK(half->firstBad->elementIndex == std::vector<std::int64_t>{0, 0, 0});
    CHECK(half->firstBad->inputsFinite);
    CHECK(half->firstBad->weightsFinite);
    CHECK(half->verdictClass == "fault");

    const auto single = swept(folder, model, "fp32");
    REQUIRE(single);
    CHECK_FALSE(single->firstBad);
}

TEST_CASE("the same capsule gives the same numbers twice", "[replay]")
{
    const TempFolder folder;
    const TinyModel model = test::tinyLlama();
    const auto first = swept(folder, model, "bf16");
    const auto second = swept(folder, model, "bf16");
    REQUIRE(first);
    REQUIRE(second);
    auto a = *first;
    auto b = *second;
    a.cost.seconds = b.cost.seconds = 0.0;
    CHECK(core::replayResultJson(a) == core::replayResultJson(b));
}

TEST_CASE("an id outside the table stops the step in the input", "[replay]")
{
    const TempFolder folder;
    const auto result = swept(folder, test::tinyGpt2(), "fp32", {}, {0, 1, 2, 3, 4, 5, 7, 6});
    REQUIRE(result);
    REQUIRE(result->firstBad);
    CHECK(result->firstBad->lane == "input");
    CHECK(result->firstBad->kind == "out-of-range");
    CHECK(result->firstBad->elementIndex == std::vector<std::int64_t>{1, 2});
    CHECK_FALSE(result->lanes.param);
}

TEST_CASE("a config that contradicts the weights is a sentence", "[replay]")
{
    const TempFolder folder;
    TinyModel model = test::tinyGpt2();
    model.config
        = R"({"n_layer":1,"n_embd":4,"n_head":2,"n_inner":6,"n_positions":4,"vocab_size":9})";
    const auto wrong = swept(folder, model, "fp32");
    REQUIRE_FALSE(wrong);
    CHECK_THAT(wrong.error().message, ContainsSubstring("wte.weight is [7, 4]"));

    model.config
        = R"({"n_layer":2,"n_embd":4,"n_head":2,"n_inner":6,"n_positions":4,"vocab_size":7})";
    const auto missing = swept(folder, model, "fp32");
    REQUIRE_FALSE(missing);
    CHECK_THAT(missing.error().message, ContainsSubstring("h.1.ln_1.weight"));

    model.family = "mamba";
    const auto unknown = swept(folder, model, "fp32");
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == core::ErrorCode::Unsupported);
    CHECK_THAT(unknown.error().message, ContainsSubstring("mamba"));
}
