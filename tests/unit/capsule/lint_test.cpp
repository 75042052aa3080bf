// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capsule/input_place.h"
#include "core/capsule/lint.h"
#include "core/present/json/lint_json.h"
#include "tests/support/capsule_example.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <limits>

using namespace firstbad::core;
using namespace firstbad::test;
using Catch::Matchers::ContainsSubstring;

namespace {

using Ids = std::vector<std::int64_t>;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<ExampleTensor> weights(std::int64_t rows = 10)
{
    const auto zeros = [](std::string name, std::vector<std::int64_t> shape) {
        std::size_t count = 1;
        for (const auto size : shape)
            count *= static_cast<std::size_t>(size);
        return exampleTensor<float>(
            std::move(name), "F32", std::move(shape), std::vector<float>(count));
    };
    return {zeros("transformer.wte.weight", {rows, 4}), zeros("transformer.wpe.weight", {8, 4}),
        zeros("transformer.h.0.ln_1.weight", {4})};
}

/// Lints a capsule of 2 rows of 4 tokens, with tensors replaced or added.
LintReport lint(const std::vector<ExampleTensor>& batch,
    const std::vector<std::pair<std::string, std::string>>& changes = {},
    const std::vector<ExampleTensor>& weightTensors = weights())
{
    std::vector<ExampleTensor> tensors{
        exampleTensor<std::int64_t>("input_ids", "I64", {2, 4}, Ids{1, 2, 3, 4, 5, 6, 7, 8}),
        exampleTensor<std::int64_t>("labels", "I64", {2, 4}, Ids{1, 2, 3, 4, 5, 6, 7, 8})};
    for (const auto& tensor : batch) {
        std::erase_if(tensors, [&](const auto& other) { return other.name == tensor.name; });
        tensors.push_back(tensor);
    }
    const TempFolder folder;
    folder.write("c/batch.safetensors", safetensorsBytes(tensors));
    folder.write("c/weights.safetensors", safetensorsBytes(weightTensors));
    folder.write("c/capsule.json", capsuleJson(changes));
    const auto capsule = readCapsule(folder.path() / "c", "c");
    REQUIRE(capsule);
    JobContext job;
    auto report = lintCapsule(*capsule, job);
    REQUIRE(report);
    return *report;
}

std::vector<std::string> codesOf(const LintReport& report)
{
    std::vector<std::string> codes;
    for (const auto& finding : report.findings)
        codes.push_back(finding.code);
    return codes;
}

}  // namespace

TEST_CASE("a batch that fits has no finding", "[core][lint]")
{
    CHECK(codesOf(lint({})).empty());
}

TEST_CASE("ids are held against the rows of the embedding", "[core][lint]")
{
    const auto report = lint(
        {exampleTensor<std::int64_t>("input_ids", "I64", {2, 4}, Ids{1, 2, 3, 9, -1, 6, 7, 10})});
    REQUIRE(codesOf(report) == std::vector<std::string>{"id-out-of-range", "id-out-of-range"});
    CHECK(report.findings[0].value == -1.0);
    CHECK(report.findings[1].row == 1);
    CHECK(report.findings[1].index == 3);
    CHECK(report.findings[1].limit == 9.0);
    CHECK(report.findings[1].sampleId == "2");
    CHECK(stopsAtInput(report));
    const auto place = inputFirstBad(report);
    REQUIRE(place);
    CHECK(place->elementIndex == std::vector<std::int64_t>{1, 0});
}

TEST_CASE(
    "a vocabulary larger than the embedding is told, a smaller one is padding", "[core][lint]")
{
    CHECK(codesOf(lint({}, {{R"("vocab_size":10)", R"("vocab_size":12)"}}))
        == std::vector<std::string>{"vocab-mismatch"});
    CHECK(codesOf(lint({}, {{R"("vocab_size":10)", R"("vocab_size":9)"}})).empty());
}

TEST_CASE("only labels that the loss looks at are held against the classes", "[core][lint]")
{
    const auto labels
        = exampleTensor<std::int64_t>("labels", "I64", {2, 4}, Ids{99, 2, 3, 4, 5, -100, 10, 8});
    const auto shiftedInside = lint({labels});
    REQUIRE(codesOf(shiftedInside) == std::vector<std::string>{"label-out-of-range"});
    CHECK(shiftedInside.findings[0].index == 2);
    CHECK(codesOf(lint({labels}, {{R"("shifted":false)", R"("shifted":true)"}})).size() == 2);
}

TEST_CASE("targets are counted after shift and loss mask", "[core][lint]")
{
    const auto first = exampleTensor<std::int64_t>(
        "labels", "I64", {2, 4}, Ids{1, -100, -100, -100, 5, -100, -100, -100});
    CHECK(codesOf(lint({first})) == std::vector<std::string>{"no-valid-targets"});
    const auto oneRow = exampleTensor<std::int64_t>(
        "labels", "I64", {2, 4}, Ids{1, 2, 3, 4, 5, -100, -100, -100});
    const auto report = lint({oneRow});
    REQUIRE(codesOf(report) == std::vector<std::string>{"row-no-targets"});
    CHECK(report.findings[0].row == 1);
    CHECK_FALSE(report.findings[0].index);
    CHECK_FALSE(report.holdsError());
    const auto mask = exampleTensor<float>("loss_mask", "F32", {2, 4}, {1, 0, 0, 0, 0, 0, 0, 0});
    CHECK(codesOf(lint({mask})) == std::vector<std::string>{"no-valid-targets"});
}

TEST_CASE("a query without any key is dead, in every kind of mask", "[core][lint]")
{
    const auto tokens
        = exampleTensor<std::int64_t>("attention_mask", "I64", {2, 4}, Ids{1, 1, 0, 0, 0, 0, 1, 1});
    const auto left = lint({tokens});
    REQUIRE(codesOf(left) == std::vector<std::string>{"dead-mask-row", "dead-mask-row"});
    CHECK(left.findings[1].row == 1);
    CHECK(left.findings[1].index == 1);

    std::vector<float> additive(32, 0.0F);
    for (std::size_t key = 0; key < 4; ++key)
        additive[16 + 8 + key] = key % 2 == 0 ? -kInf : -1.0e9F;  // row 1, query 2
    additive[3] = -2000.0F;  // a bias by distance
    const auto whole
        = lint({exampleTensor<float>("attention_mask", "F32", {2, 1, 4, 4}, additive)});
    REQUIRE(codesOf(whole) == std::vector<std::string>{"dead-mask-row"});
    CHECK(whole.findings[0].row == 1);
    CHECK(whole.findings[0].index == 2);

    const auto perHead = exampleTensor<std::uint8_t>(
        "attention_mask", "BOOL", {1, 2, 2, 2}, {1, 1, 0, 0, 1, 1, 0, 0});
    CHECK(codesOf(lint({perHead})) == std::vector<std::string>{"dead-mask-row"});
}

TEST_CASE("a mask value at the edge of half precision is told", "[core][lint]")
{
    const std::vector<std::pair<std::string, std::string>> half{
        {R"("compute":"fp32","params":"fp32")", R"("compute":"fp16","params":"fp16")"}};
    std::vector<float> mask(32, 0.0F);
    mask[1] = -65504.0F;
    CHECK(codesOf(lint({exampleTensor<float>("attention_mask", "F32", {2, 1, 4, 4}, mask)}, half))
        == std::vector<std::string>{"mask-value"});
    mask[1] = -1.0e9F;
    const auto report
        = lint({exampleTensor<float>("attention_mask", "F32", {2, 1, 4, 4}, mask)}, half);
    REQUIRE(codesOf(report) == std::vector<std::string>{"mask-value"});
    CHECK(report.findings[0].limit == -65504.0);
    mask[1] = -10000.0F;
    CHECK(codesOf(lint({exampleTensor<float>("attention_mask", "F32", {2, 1, 4, 4}, mask)}, half))
              .empty());
}

TEST_CASE("non-finite inputs are told by place, minus infinity in a mask is none", "[core][lint]")
{
    std::vector<float> embeds(32, 0.5F);
    embeds[5] = kNaN;  // row 0, index 1
    embeds[6] = kInf;
    embeds[31] = -kInf;  // row 1, index 3
    const auto report = lint({exampleTensor<float>("inputs_embeds", "F32", {2, 4, 4}, embeds)});
    REQUIRE(codesOf(report) == std::vector<std::string>{"nonfinite-input", "nonfinite-input"});
    CHECK(report.findings[0].index == 1);
    CHECK(report.findings[0].count == 2);
    CHECK(report.findings[1].sampleId == "2");
    CHECK(inputFirstBad(report)->kind == "NaN");
    CHECK(inputFirstBad(report)->elementIndex == std::vector<std::int64_t>{0, 1, 1});
    CHECK_FALSE(stopsAtInput(report));
    CHECK_THAT(lintJson(report), ContainsSubstring(R"("value":"NaN")"));
    CHECK_THAT(lintJson(report), ContainsSubstring(R"("counts":{"nonfinite-input":2})"));
}

TEST_CASE("positions are held against their table and their type", "[core][lint]")
{
    CHECK(codesOf(lint({exampleTensor<std::int64_t>(
              "position_ids", "I64", {2, 4}, Ids{0, 1, 2, 3, 5, 6, 7, 8})}))
        == std::vector<std::string>{"position-out-of-range"});
    const std::vector<std::uint16_t> bf16{
        0x437F, 0x4380, 0x4380, 0x4381, 0, 0x3F80, 0x4000, 0x4040};  // 255 256 256 258, 0 1 2 3
    const auto report
        = lint({{"position_ids", "BF16", {2, 4}, exampleTensor("", "", {}, bf16).bytes}},
            {{R"("family":"gpt2")", R"("family":"llama")"}});
    REQUIRE(codesOf(report).size() >= 2);
    CHECK(report.findings[0].code == "position-precision");
    CHECK(report.findings[0].row == 0);
    CHECK(report.findings[0].limit == 256.0);
    CHECK(report.findings[1].code == "duplicate-position");
    CHECK(report.findings[1].index == 2);
    CHECK(report.findings[1].value == 256.0);
}

TEST_CASE(
    "sequences longer than the table of positions are told without position ids", "[core][lint]")
{
    const Ids ids{1, 2, 3, 4, 5, 6, 7, 8, 9};
    const auto report = lint({exampleTensor<std::int64_t>("input_ids", "I64", {1, 9}, ids),
        exampleTensor<std::int64_t>("labels", "I64", {1, 9}, ids)});
    REQUIRE(codesOf(report) == std::vector<std::string>{"position-out-of-range"});
    CHECK(report.findings[0].value == 8.0);
    CHECK(report.findings[0].limit == 7.0);
}

TEST_CASE("an epsilon that vanishes in its type is told", "[core][lint]")
{
    CHECK(codesOf(lint({}, {{"1e-05", "1e-12"}})).empty());
    const auto report = lint({}, {{"1e-05", "1e-12"}, {R"("norm":"fp32")", R"("norm":"fp16")"}});
    REQUIRE(codesOf(report) == std::vector<std::string>{"eps-below-type"});
    CHECK(report.findings[0].tensor == "config.layer_norm_epsilon");
    const std::string optimizer
        = R"("optimizer":{"type":"adamw","lr":0.1,"eps":1e-8,"master":MASTER})";
    const auto withMaster = [&](const char* master) {
        std::string text = optimizer;
        text.replace(text.find("MASTER"), 6, master);
        return codesOf(lint(
            {}, {{R"("optimizer":null)", text}, {R"("params":"fp32")", R"("params":"fp16")"}}));
    };
    CHECK(withMaster("false") == std::vector<std::string>{"eps-below-type"});
    CHECK(withMaster("true").empty());
}

TEST_CASE("a config that contradicts the weights is told", "[core][lint]")
{
    struct Case {
        std::pair<std::string, std::string> change;
        const char* why;
    };
    const auto c = GENERATE(values<Case>({
        {{R"("n_layer":1)", R"("n_layer":3)"}, "3 blocks, the weights hold 1"},
        {{R"("n_embd":4)", R"("n_embd":8)"}, "width 8"},
        {{R"("n_head":2)", R"("n_head":3)"}, "3 heads"},
        {{R"("n_head":2)", R"("n_head":0)"}, "0 heads"},
        {{R"("n_positions":8)", R"("n_positions":16)"}, "16 positions"},
    }));
    const auto report = lint({}, {c.change});
    REQUIRE(codesOf(report) == std::vector<std::string>{"config-contradiction"});
    CHECK_THAT(report.findings[0].text, ContainsSubstring(c.why));
}

TEST_CASE("a batch that contradicts itself is told", "[core][lint]")
{
    CHECK(
        codesOf(lint({exampleTensor<std::int64_t>("labels", "I64", {2, 3}, Ids{1, 2, 3, 4, 5, 6})}))
        == std::vector<std::string>{"config-contradiction"});
    CHECK(codesOf(
              lint({exampleTensor<float>("input_ids", "F32", {2, 4}, std::vector<float>(8, 1.0F))}))
              .front()
        == "config-contradiction");
    CHECK(
        codesOf(lint({}, {{R"(["input_ids","labels"])", R"(["input_ids","labels","loss_mask"])"}}))
        == std::vector<std::string>{"config-contradiction"});
}

TEST_CASE("a thousand bad ids are counted, a hundred are listed", "[core][lint]")
{
    const auto report
        = lint({exampleTensor<std::int64_t>("input_ids", "I64", {2, 500}, Ids(1000, 77)),
                   exampleTensor<std::int64_t>("labels", "I64", {2, 500}, Ids(1000, 1))},
            {{R"("n_positions":8)", R"("n_positions":8)"}});
    CHECK(report.counts.at("id-out-of-range") == 1000);
    CHECK(std::count_if(report.findings.begin(), report.findings.end(), [](const auto& f) {
        return f.code == "id-out-of-range";
    }) == 100);
    CHECK(report.counts.at("constant-input") == 2);
}

TEST_CASE("a missing or damaged file is told, and the rest is checked", "[core][lint]")
{
    const TempFolder folder;
    folder.write("c/batch.safetensors", "this is not a safetensors file");
    folder.write("c/capsule.json", capsuleJson());
    const auto capsule = readCapsule(folder.path() / "c", "c");
    JobContext job;
    const auto report = lintCapsule(*capsule, job);
    REQUIRE(report);
    CHECK(codesOf(*report) == std::vector<std::string>{"missing-file"});
    CHECK(report->findings[0].tensor == "weights.safetensors");
    REQUIRE(report->diagnostics.size() == 1);
    CHECK(report->diagnostics[0].code == "damaged-file");
}

TEST_CASE("an unknown family is said, and the batch is checked all the same", "[core][lint]")
{
    const auto report = lint({exampleTensor<std::int64_t>("labels", "I64", {2, 4}, Ids(8, -100))},
        {{R"("family":"gpt2")", R"("family":"mamba")"}});
    CHECK(codesOf(report) == std::vector<std::string>{"no-valid-targets"});
    REQUIRE(report.diagnostics.size() == 1);
    CHECK_THAT(report.diagnostics[0].message, ContainsSubstring("\"mamba\""));
}

TEST_CASE("a cancelled lint says so", "[core][lint]")
{
    const TempFolder folder;
    folder.write("c/batch.safetensors", "x");
    folder.write("c/weights.safetensors", "x");
    folder.write("c/capsule.json", capsuleJson());
    const auto capsule = readCapsule(folder.path() / "c", "c");
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    const auto report = lintCapsule(*capsule, job);
    REQUIRE_FALSE(report);
    CHECK(report.error().code == ErrorCode::Cancelled);
}
