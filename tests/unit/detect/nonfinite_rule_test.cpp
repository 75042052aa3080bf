// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/detect/judged.h"

using namespace firstbad::core;
using namespace firstbad::test;

TEST_CASE("a loss that becomes and stays NaN is a fault from its first step", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, with(calm(100, 2.0), 60, std::vector<double>(40, kNan))});
    const Judgement judgement = judged(run);

    const Incident* bad = find(judgement, IncidentKind::NonfiniteLoss);
    REQUIRE(bad);
    CHECK(bad->onsetStep == 61);
    CHECK(bad->recovered == false);
    CHECK(bad->severity == Severity::Error);
    REQUIRE(bad->firstBad);
    CHECK(bad->firstBad->certain);
    CHECK(bad->restoreBeforeStep < 61);
}

TEST_CASE("one infinite loss without a scaler leaves a question open", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, with(calm(400, 2.0), 316, {kInf})});
    const Judgement judgement = judged(run);

    const Incident* bad = find(judgement, IncidentKind::NonfiniteLoss);
    REQUIRE(bad);
    CHECK(bad->onsetStep == 317);
    CHECK(bad->verdict != IncidentClass::Benign);
    CHECK_FALSE(bad->unknown.empty());
}

TEST_CASE("an infinite loss in the step that halved the scale is the scaler's", "[core][detect]")
{
    std::vector<double> scale(400, 65536.0);
    std::fill(scale.begin() + 316, scale.end(), 32768.0);
    RunBuilder run;
    run.series("loss", {1, with(calm(400, 2.0), 316, {kInf})});
    run.series("loss_scale", {1, scale});
    CHECK(faults(judged(run)) == 0);
}

TEST_CASE("loss 0 beside a NaN norm is a hidden NaN", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, with(calm(100, 2.0), 50, std::vector<double>(50, 0.0))});
    run.series("grad_norm", {1, with(calm(100, 1.0), 50, std::vector<double>(50, kNan))});
    const Judgement judgement = judged(run);

    const Incident* hidden = find(judgement, IncidentKind::SilentNonfinite);
    REQUIRE(hidden);
    CHECK(hidden->onsetStep == 51);
    REQUIRE(hidden->firstBad);
    CHECK_FALSE(hidden->firstBad->certain);
    CHECK_FALSE(judgement.audit.masked.empty());
}

TEST_CASE("loss 0 by design with healthy norms stays quiet", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, std::vector<double>(50, 0.0)});
    run.series("grad_norm", {1, calm(50, 0.3)});
    const Judgement judgement = judged(run);
    REQUIRE(judgement.incidents.size() == 1);
    CHECK(judgement.incidents[0].kind == IncidentKind::None);
}

TEST_CASE("a NaN loss with a gradient of exactly 0 is an empty loss", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, with(calm(150, 2.0), 87, {kNan})});
    run.series("grad_norm", {1, with(calm(150, 1.0), 87, {0.0})});
    const Judgement judgement = judged(run);

    const Incident* empty = find(judgement, IncidentKind::EmptyLoss);
    REQUIRE(empty);
    CHECK(empty->onsetStep == 88);
}

TEST_CASE("a loss field that vanishes counts where the source drops it", "[core][detect]")
{
    const bool drops = GENERATE(true, false);
    RunBuilder run;
    run.series("lm loss", {1, calm(100, 2.0)}, {101, 102, 103, 104, 105, 106});
    run.series("grad norm", {1, with(calm(106, 1.0), 100, std::vector<double>(6, 1.0))});
    run.traits([&](LogTraits& traits) { traits.lossFieldDropsNonfinite = drops; });
    const Judgement judgement = judged(run);

    const Incident* bad = find(judgement, IncidentKind::NonfiniteLoss);
    CHECK((bad != nullptr) == drops);
    if (bad)
        CHECK(bad->onsetStep == 101);
}

TEST_CASE("a masked norm of -1 is a norm that was not finite", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(100, 2.0)});
    run.series("grad_norm", {1, with(calm(100, 1.0), 60, std::vector<double>(40, -1.0))});
    const Judgement judgement = judged(run);

    const Incident* bad = find(judgement, IncidentKind::NonfiniteGrad);
    REQUIRE(bad);
    CHECK(bad->onsetStep == 61);
    REQUIRE(judgement.audit.masked.size() == 1);
    CHECK(judgement.audit.masked[0].series == "grad_norm");
}

TEST_CASE("a running mean that took in one Inf is an artefact of the display", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(100, 2.0)});
    run.runningMean(
        "grad_norm (running mean)", {1, with(calm(100, 1.0), 40, std::vector<double>(60, kInf))});
    const Judgement judgement = judged(run);

    CHECK(faults(judgement) == 0);
    REQUIRE(find(judgement, IncidentKind::DisplayArtefact));
}

TEST_CASE("in a log of every 10th step the first seen step is not certain", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {0, with(calm(100, 2.0), 60, std::vector<double>(40, kNan)), 10});
    const Judgement judgement = judged(run);

    const Incident* bad = find(judgement, IncidentKind::NonfiniteLoss);
    REQUIRE(bad);
    CHECK(bad->onsetStep == 600);
    REQUIRE(bad->firstBad);
    CHECK_FALSE(bad->firstBad->certain);
}

TEST_CASE("rows in which even the memory is NaN hold no measurement", "[detect]")
{
    std::vector<double> loss = calm(100, 2.0);
    std::vector<double> memory(100, 1.0e9);
    for (std::size_t i = 60; i < 100; ++i)
        loss[i] = memory[i] = kNan;
    RunBuilder run;
    run.series("lm loss", {1, loss});
    run.series("mem-allocated-bytes", {1, memory});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    const Incident& one = judgement.incidents[0];
    CHECK(one.kind == IncidentKind::NonfiniteLoss);
    CHECK(one.verdict == IncidentClass::Unknown);
    CHECK(one.onsetStep == 61);
    CHECK_FALSE(one.firstBad);
    CHECK_FALSE(one.against.empty());
}

TEST_CASE("a NaN loss beside a memory that is measured is a fault", "[detect]")
{
    RunBuilder run;
    run.series("lm loss", {1, with(calm(100, 2.0), 60, std::vector<double>(40, kNan))});
    run.series("mem-allocated-bytes", {1, std::vector<double>(100, 1.0e9)});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    CHECK(judgement.incidents[0].verdict == IncidentClass::Fault);
}

TEST_CASE("a sparse loss beside a dense one is one episode", "[detect]")
{
    // every 10th step has a loss, NaN from step 120 on; the bar shows another number every step
    RunBuilder run;
    run.series("train_loss", {10, with(calm(30, 0.7), 11, std::vector<double>(19, kNan)), 10});
    run.series("v_num", {1, std::vector<double>(300, 3.0)});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    CHECK(judgement.incidents[0].onsetStep == 120);
    CHECK(judgement.incidents[0].recovered == false);
}

TEST_CASE("two sources that disagree are both quoted, and numbers win", "[detect]")
{
    RunBuilder run;
    run.series("loss", {1, std::vector<double>(300, kNan)});
    run.series("train_loss_step", {9, calm(30, 0.7), 10});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    const Incident& one = judgement.incidents[0];
    CHECK(one.kind == IncidentKind::DisplayArtefact);
    CHECK(one.verdict == IncidentClass::Benign);
    REQUIRE(one.evidence.size() == 2);
    CHECK(one.evidence[0].series == "loss");
    CHECK(one.evidence[1].series == "train_loss_step");
}
