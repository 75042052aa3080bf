// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/import_structured/support.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

SourceData read(std::string_view json, std::string_view name = "log.json")
{
    return readJsonText(json, name, {});
}

}  // namespace

TEST_CASE("An array of records is read, JSON5 sins included", "[import][json]")
{
    const SourceData data = read("[\n {\"step\": 1, \"loss\": 2.5, \"x\": -Infinity,},\n {step: 2, "
                                 "'loss': nan, \"x\": 1e400,},\n]");
    CHECK(columnOf(data, "loss").steps == Steps{1, 2});
    CHECK(summarise(columnOf(data, "loss")).counts == KindCounts{1, 1, 0, 0});
    CHECK(summarise(columnOf(data, "x")).counts == KindCounts{0, 0, 1, 1});
    CHECK(data.info.records == 2);
}

TEST_CASE("trainer_state.json gives its log history", "[import][json]")
{
    const SourceData data = read(
        R"({"epoch": 1.1, "global_step": 3, "log_history": [
{"epoch": 0.5, "grad_norm": NaN, "learning_rate": 0.1, "loss": 0.0, "step": 1},
{"epoch": 1.0, "eval_loss": 2.5, "step": 1},
{"epoch": 1.1, "loss": 1.5, "step": 3}], "max_steps": 3})");
    CHECK(data.info.format == "hf-trainer-state");
    CHECK(data.traits.lossMayBeFiltered);
    CHECK(columnOf(data, "loss").steps == Steps{1, 3});
    CHECK(columnOf(data, "eval_loss").steps == Steps{1});
    CHECK(columnOf(data, "epoch").values == Values{0.5, 1.0, 1.1});
    CHECK(data.breaks.empty());
}

TEST_CASE("A trainer state without history is read, with nothing in it", "[import][json]")
{
    const SourceData data = read(R"({"global_step": 5, "log_history": []})", "trainer_state.json");
    CHECK(data.info.state == SourceState::Read);
    CHECK(data.columns.empty());
}

TEST_CASE("Megatron golden values are read in both forms", "[import][json]")
{
    const char* const json = GENERATE(
        R"({"lm loss": {"start_step": 1, "end_step": 11, "step_interval": 5, "values": {"1": 10.5, "6": 10.25, "11": "nan"}}})",
        R"({"lm loss": {"start_step": 1, "end_step": 11, "step_interval": 5, "values": [10.5, 10.25, "nan"]}})");
    const SourceData data = read(json);
    CHECK(data.info.format == "megatron-golden");
    CHECK(columnOf(data, "lm loss").steps == Steps{1, 6, 11});
    CHECK(summarise(columnOf(data, "lm loss")).counts == KindCounts{2, 1, 0, 0});
}

TEST_CASE("Columns of numbers by name are a table", "[import][json]")
{
    const char* const json = GENERATE(R"({"step": [10, 20], "loss": [2.5, NaN]})",
        R"({"step": {"0": 10, "1": 20}, "loss": {"0": 2.5, "1": NaN}})");
    const SourceData data = read(json);
    CHECK(columnOf(data, "loss").steps == Steps{10, 20});
}

TEST_CASE("Documents that are no logs are told so", "[import][json]")
{
    struct Case {
        const char* name;
        const char* json;
        const char* says;
    };
    const auto c = GENERATE(values<Case>({
        {"config.json", R"({"model_type": "gpt2", "n_layer": 12, "id2label": {"0": "A"}})",
            "model"},
        {"wandb-summary.json", R"({"_step": 20, "loss": 1.5, "_wandb": {"runtime": 5}})",
            "summary"},
        {"eval_results.json", R"({"epoch": 1.0, "eval_loss": 2.5, "eval_runtime": 3})",
            "evaluation"},
        {"model.safetensors.index.json",
            R"({"metadata": {"total_size": 5}, "weight_map": {"a": "b"}})", "index"},
        {"empty.json", "{}", "without any"},
        {"other.json", R"({"a": [{"id": 1}, {"id": 2}]})", "without records"},
    }));
    CAPTURE(c.name);
    const SourceData data = read(c.json, c.name);
    CHECK(data.info.state == SourceState::Ignored);
    CHECK_THAT(data.info.message, Catch::Matchers::ContainsSubstring(c.says));
    CHECK_THAT(data.info.message, Catch::Matchers::ContainsSubstring(c.name));
    CHECK(data.columns.empty());
}

TEST_CASE("A snapshot with a step and a loss is one record", "[import][json]")
{
    const SourceData data = read(R"({"step": 150, "timestamp": 1925734290.5, "loss": 12.5,
"gradient_norms": {"wte": 0.5}})",
        "snapshot_step_150.json");
    CHECK(columnOf(data, "loss").steps == Steps{150});
    CHECK(columnOf(data, "gradient_norms.wte").values == Values{0.5});
}

TEST_CASE("A document that is cut keeps the records before the cut", "[import][json]")
{
    const SourceData data = read("[{\"step\": 1, \"loss\": 2.5},\n{\"step\": 2, \"lo");
    CHECK(columnOf(data, "loss").steps == Steps{1});
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].line == 2);
}

TEST_CASE("Rubbish is damage with a sentence", "[import][json]")
{
    const SourceData data = read("{\"a\": \x02\x03", "x.json");
    CHECK(data.info.state == SourceState::Damaged);
    CHECK_THAT(data.info.message, Catch::Matchers::ContainsSubstring("x.json"));
    CHECK_FALSE(data.info.hint.empty());
}
