// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/detect/judged.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

std::vector<AuditStatement> stated(const Judgement& judgement, std::string_view code)
{
    std::vector<AuditStatement> found;
    for (const AuditStatement& one : judgement.audit.statements) {
        if (one.code == code)
            found.push_back(one);
    }
    return found;
}

std::vector<double> counting(std::size_t count, double first)
{
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(first + static_cast<double>(i));
    return values;
}

/// A loss of 2 at these steps and times.
Judgement judgedAt(const std::vector<std::int64_t>& steps, const std::vector<double>& times)
{
    Run run = RunBuilder().series("loss", {1, {2.0}}).take();
    Column column;
    column.steps = steps;
    column.values.assign(steps.size(), 2.0);
    column.times = times;
    run.series[0].columns[0] = std::make_shared<const Column>(std::move(column));
    run.attempts[0].firstStep = steps.front();
    run.attempts[0].lastStep = steps.back();
    JobContext job;
    auto judgement = judge(run, {}, Settings(), job);
    REQUIRE(judgement);
    return std::move(*judgement);
}

}  // namespace

TEST_CASE("a clock that goes back or stands still for hours is stated", "[detect][audit]")
{
    const auto judgement = judgedAt({1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
        {100, 110, 120, 130, 100, 110, 120, 7330, 7340, 7350});  // -30 s at 5, 7,210 s before 8
    const auto jumps = stated(judgement, "clock-jump");
    REQUIRE(jumps.size() == 2);
    CHECK(jumps[0].severity == Severity::Warning);
    CHECK(jumps[0].steps == std::vector<std::int64_t>{5});
    CHECK(jumps[0].text.find("30 s") != std::string::npos);
    CHECK(jumps[1].severity == Severity::Info);
    CHECK(jumps[1].steps == std::vector<std::int64_t>{8});
}

TEST_CASE("a steady clock is not stated", "[detect][audit]")
{
    CHECK(
        stated(judgedAt({1, 2, 3, 4, 5, 6, 7, 8}, {0, 10, 20, 30.5, 30, 40, 50, 60}), "clock-jump")
            .empty());
}

TEST_CASE("steps that nobody logged and steps logged twice are stated", "[detect][audit]")
{
    const auto judgement = judgedAt({10, 20, 30, 40, 40, 50, 90, 100, 110}, {});
    const auto gaps = stated(judgement, "step-gap");
    REQUIRE(gaps.size() == 1);
    CHECK(gaps[0].steps == std::vector<std::int64_t>{90});
    const auto twice = stated(judgement, "step-duplicate");
    REQUIRE(twice.size() == 1);
    CHECK(twice[0].severity == Severity::Info);
    CHECK(twice[0].steps == std::vector<std::int64_t>{40});
}

TEST_CASE("a step with two different losses contradicts itself", "[detect][audit]")
{
    Run run = RunBuilder().series("loss", {1, {2.0}}).take();
    Column column;
    column.steps = {1, 2, 3, 4, 4, 5, 6, 7};
    column.values = {2.0, 2.0, 2.0, 2.0, 2.5, 2.0, 2.0, 2.0};
    run.series[0].columns[0] = std::make_shared<const Column>(std::move(column));
    JobContext job;
    const auto judgement = judge(run, {}, Settings(), job);
    REQUIRE(judgement);
    const auto twice = stated(*judgement, "step-duplicate");
    REQUIRE(twice.size() == 1);
    CHECK(twice[0].severity == Severity::Warning);
}

TEST_CASE("updates that nobody made are told from those that the scaler skipped", "[detect][audit]")
{
    // Ten steps, eight updates: none in step 3 (the scale halves) and none in step 7 (no reason).
    RunBuilder run;
    run.series("loss", {1, calm(10, 2.0)});
    run.series("optimizer_steps", {1, {1, 2, 2, 3, 4, 5, 5, 6, 7, 8}});
    run.series("loss_scale", {1, {64, 64, 32, 32, 32, 32, 32, 32, 32, 32}});
    run.series("skipped", {1, std::vector<double>(10, 0.0)});
    const Judgement judgement = judged(run);
    const auto silent = stated(judgement, "silent-skip");
    REQUIRE(silent.size() == 1);
    CHECK(silent[0].steps == std::vector<std::int64_t>{3});
    const auto missing = stated(judgement, "update-missing");
    REQUIRE(missing.size() == 1);
    CHECK(missing[0].steps == std::vector<std::int64_t>{7});
}

TEST_CASE("skips that are marked are no missing updates", "[detect][audit]")
{
    RunBuilder run;
    run.series("loss", {1, calm(10, 2.0)});
    run.series("optimizer_steps", {1, {1, 2, 2, 3, 4, 5, 6, 7, 8, 9}});
    run.series("skipped", {1, {0, 0, 1, 0, 0, 0, 0, 0, 0, 0}});
    const Judgement judgement = judged(run);
    CHECK(stated(judgement, "silent-skip").empty());
    CHECK(stated(judgement, "update-missing").empty());
}

TEST_CASE("an accumulation that was cut short is stated", "[detect][audit]")
{
    RunBuilder run;
    run.series("loss", {1, calm(5, 2.0)});
    run.series("accum.expected", {1, {4, 4, 4, 4, 4}});
    run.series("accum.used", {1, {4, 4, 3, 4, 4}});
    const auto few = stated(judged(run), "update-too-few");
    REQUIRE(few.size() == 1);
    CHECK(few[0].steps == std::vector<std::int64_t>{3});
}

TEST_CASE("gradients that are zero leave few updates with an effect", "[detect][audit]")
{
    std::vector<double> norms = calm(100, 0.5);
    for (std::size_t i = 10; i < 70; ++i)
        norms[i] = 0.0;
    RunBuilder run;
    run.series("loss", {1, calm(100, 2.0)});
    run.series("grad_norm", {1, norms});
    const auto few = stated(judged(run), "update-too-few");
    REQUIRE(few.size() == 1);
    CHECK(few[0].text.find("40 of 100") != std::string::npos);
    CHECK(few[0].steps == std::vector<std::int64_t>{11, 70});
}

TEST_CASE("a high share of skips is stated though no two are in a row", "[detect][audit]")
{
    std::vector<double> skipped(200, 0.0);
    for (std::size_t i = 100; i < 150; i += 2)
        skipped[i] = 1.0;  // steps 101, 103, ..., 149: 25 of 50
    RunBuilder run;
    run.series("loss", {1, calm(200, 2.0)});
    run.series("skipped", {1, skipped});
    const auto share = stated(judged(run), "skip-share");
    REQUIRE(share.size() == 1);
    CHECK(share[0].text.find("25 of 50") != std::string::npos);
    CHECK(share[0].steps == std::vector<std::int64_t>{101, 150});
    CHECK(
        stated(judged(RunBuilder()
                          .series("loss", {1, calm(200, 2.0)})
                          .series("skipped", {1, with(std::vector<double>(200, 0.0), 100, {1.0})})),
            "skip-share")
            .empty());
}

TEST_CASE("a configuration that differs between attempts is named", "[detect][audit]")
{
    RunBuilder run;
    run.series("loss", {1, calm(10, 2.0)});
    run.event(EventKind::RunStart, std::nullopt, R"({"config_hash":"aa11","model_commit":"c0"})");
    run.attempt("2", 0);
    run.series("loss", {11, calm(10, 2.0)});
    run.event(EventKind::RunStart, std::nullopt, R"({"config_hash":"bb22","model_commit":"c0"})");
    const auto changed = stated(judged(run), "config-changed");
    REQUIRE(changed.size() == 1);
    CHECK(changed[0].text.find("aa11") != std::string::npos);
    CHECK(changed[0].text.find("bb22") != std::string::npos);
    CHECK(changed[0].steps == std::vector<std::int64_t>{11});
}

TEST_CASE("samples counted again or left out at a restart are stated", "[detect][audit]")
{
    struct Case {
        double first;  // count at step 101; 100 steps of 8 samples came before
        const char* code;
        std::int64_t amount;
    };
    const auto c = GENERATE(values<Case>({
        {808.0, nullptr, 0},
        {408.0, "data-repeat", 400},
        {1608.0, "data-gap", 800},
    }));
    CAPTURE(c.first);
    std::vector<double> before;
    std::vector<double> after;
    for (int i = 0; i < 100; ++i) {
        before.push_back(8.0 * (i + 1));
        after.push_back(c.first + 8.0 * i);
    }
    RunBuilder run;
    run.series("loss", {1, calm(100, 2.0)}).series("consumed samples", {1, before});
    run.attempt("2", 0);
    run.series("loss", {101, calm(100, 2.0)}).series("consumed samples", {101, after});
    const Judgement judgement = judged(run);
    const Incident* incident = find(judgement, IncidentKind::DataRepeat);
    REQUIRE((incident != nullptr) == (c.code != nullptr));
    if (!c.code)
        return;
    REQUIRE(stated(judgement, c.code).size() == 1);
    CHECK(incident->verdict == IncidentClass::Unknown);
    CHECK(incident->onsetStep == 101);
    CHECK(incident->title.find(std::to_string(c.amount)) != std::string::npos);
}

TEST_CASE("a batch that grows over a restart is no seam", "[detect][audit]")
{
    RunBuilder run;
    run.series("loss", {1, calm(10, 2.0)}).series("consumed samples", {1, counting(10, 1.0)});
    run.attempt("2", 0);
    run.series("loss", {11, calm(5, 2.0)}).series("consumed samples", {11, {12, 14, 16, 18, 20}});
    CHECK_FALSE(find(judged(run), IncidentKind::DataRepeat));
}
