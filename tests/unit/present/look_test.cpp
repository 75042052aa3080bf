// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/look.h"

#include "core/present/comparison.h"
#include "core/present/series_selection.h"
#include "tests/support/catch.h"
#include "tests/support/incident_example.h"

#include <limits>

using namespace firstbad::core;

namespace {

RunPtr runWith(const char* id, const char* name, Quantity quantity, std::vector<double> values)
{
    auto column = std::make_shared<Column>();
    for (std::size_t i = 0; i < values.size(); ++i)
        column->steps.push_back(static_cast<std::int64_t>(i + 1));
    column->values = std::move(values);
    auto run = std::make_shared<Run>();
    run->id.value = id;
    run->attempts.resize(1);
    Series series;
    series.name = name;
    series.quantity = quantity;
    series.columns = {column};
    run->series = {series};
    return run;
}

}  // namespace

TEST_CASE(
    "the step of a save is read from the name of the save, not of the file in it", "[present]")
{
    CHECK(stepInName("out/checkpoint-110") == 110);
    CHECK(stepInName("out/checkpoint-110/model-00001-of-00002.safetensors") == 110);
    CHECK(stepInName("ckpt/iter_0033600/mp_rank_00/model.pt") == 33600);
    CHECK(stepInName("global_step500/zero_pp_rank_0.pt") == 500);
    CHECK(stepInName("epoch=3-step=1200.ckpt") == 1200);
    CHECK_FALSE(stepInName("model.safetensors"));
    CHECK_FALSE(stepInName("run-77/pytorch_model.bin"));
}

TEST_CASE("proposed commands survive a shell", "[present]")
{
    CHECK(shellQuoted("run/train.log") == "run/train.log");
    CHECK(shellQuoted("my run/a'b") == "'my run/a'\\''b'");
    CHECK(shellQuoted("-rf") == "'./-rf'");
    CHECK(shellQuoted("") == "''");
    CHECK(shellQuoted("$(reboot)") == "'$(reboot)'");
}

TEST_CASE("runs are compared at common steps only, NaN aside", "[present]")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto a = runWith("a", "grad norm", Quantity::GradNorm, {1.0, 1.0, nan, 2.0, 1.0});
    const auto b = runWith("b", "gnorm", Quantity::GradNorm, {1.1, 10.0, 5.0, 20.0, nan});
    const auto compared = compareRuns({a, b});
    REQUIRE(compared.size() == 1);
    CHECK(compared[0].commonSteps == 3);
    CHECK(compared[0].ratio == 10.0);
    CHECK(compared[0].step == 2);
    CHECK(compareRuns({a}).empty());
}

TEST_CASE(
    "a series is found by name, quantity, last part or part, the strictest first", "[present]")
{
    Dataset dataset;
    dataset.runs = {runWith("a", "train/loss", Quantity::Loss, {1.0}),
        runWith("b", "eval/loss", Quantity::Other, {2.0}),
        runWith("c", "eval/Accuracy", Quantity::Other, {3.0})};
    const auto names = [&](const char* wanted) {
        std::vector<std::string> found;
        for (const SeriesEntry& entry : selectSeries(dataset, {wanted, "", {}, {}}))
            found.push_back(entry.series->name);
        return found;
    };
    CHECK(names("loss") == std::vector<std::string>{"train/loss"});
    CHECK(names("eval/loss") == std::vector<std::string>{"eval/loss"});
    CHECK(names("accuracy") == std::vector<std::string>{"eval/Accuracy"});
    CHECK(names("eval") == std::vector<std::string>{"eval/loss", "eval/Accuracy"});
    CHECK(names("bleu").empty());
}

TEST_CASE("a torn tail that may still grow is no damage", "[present]")
{
    SourceInfo source;
    source.skipped = {{"torn-tail", "cut", 10, 2, 3, true}};
    CHECK_FALSE(isDamaged(source));
    source.skipped.push_back({"garbage", "not text", 4, 2, 1, false});
    CHECK(isDamaged(source));
    SourceInfo unknown;
    unknown.state = SourceState::NotRecognised;
    CHECK(isDamaged(unknown));
    unknown.state = SourceState::Ignored;
    CHECK_FALSE(isDamaged(unknown));
}

TEST_CASE("no save is called safe before it was scanned", "[present]")
{
    const Look look = makeLook(firstbad::test::incidentExample(), {"run/"});
    REQUIRE(look.saves.size() == 2);
    for (const FoundSave& save : look.saves)
        CHECK(save.because.find("not scanned") != std::string::npos);
    CHECK(look.saves[0].step == 33800);
    CHECK(look.saves[0].because.find("at or after incident 1") != std::string::npos);
    CHECK(look.saves[1].because.find("108 steps before") != std::string::npos);
}
