// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/detect/judged.h"

using namespace firstbad::core;
using namespace firstbad::test;

TEST_CASE("a restart spans the steps that were done again", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(150, 2.0)});
    run.attempt("2", 0).series("loss", {91, calm(240, 2.0)});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    CHECK(judgement.incidents[0].kind == IncidentKind::Restart);
    CHECK(judgement.incidents[0].onsetStep == 91);
    CHECK(judgement.incidents[0].endStep == 150);
    CHECK(judgement.incidents[0].verdict == IncidentClass::Benign);
}

TEST_CASE("a level of ln(128000) right after a load is a bad resume", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(150, 2.1)});
    run.attempt("2", 0).series("loss", {151, calm(60, 11.76)});
    const Judgement judgement = judged(run);

    const Incident* bad = find(judgement, IncidentKind::BadResume);
    REQUIRE(bad);
    CHECK(bad->onsetStep == 151);
}

TEST_CASE("a learning rate of 1e-9 cannot move the loss from 2.3 to 10.9", "[core][detect]")
{
    const double second = GENERATE(10.9, 2.30);
    std::vector<double> loss{2.31, second};
    for (int i = 0; i < 50; ++i)
        loss.push_back(second);
    RunBuilder run;
    run.series("loss", {1, loss});
    run.series("learning_rate", {1, calm(52, 1e-9)});
    const Judgement judgement = judged(run);

    CHECK((find(judgement, IncidentKind::BadResume) != nullptr) == (second > 5.0));
    CHECK((faults(judgement) == 0) == (second < 5.0));
}

TEST_CASE("an attempt without a step is empty, not broken", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(150, 2.0)});
    run.attempt("2");
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    CHECK(judgement.incidents[0].kind == IncidentKind::EmptyAttempt);
}

TEST_CASE("steps that take four times as long are a drop of throughput", "[core][detect]")
{
    RunBuilder run;
    run.series("elapsed time per iteration (ms)",
        {1, with(calm(200, 250.0), 89, std::vector<double>(25, 1000.0))});
    const Judgement judgement = judged(run);

    const Incident* drop = find(judgement, IncidentKind::ThroughputDrop);
    REQUIRE(drop);
    CHECK(drop->onsetStep == 90);
    CHECK(drop->endStep == 114);
    CHECK(drop->verdict == IncidentClass::Unknown);
}

TEST_CASE("gradients of zero in most updates mean that nothing is learnt", "[core][detect]")
{
    const bool many = GENERATE(true, false);
    auto norms = calm(200, 1.0);
    for (std::size_t i = 20; i < (many ? 140U : 21U); ++i)
        norms[i] = 0.0;
    RunBuilder run;
    run.series("loss", {1, calm(200, 2.0)});
    run.series("grad_norm", {1, norms});
    CHECK((find(judged(run), IncidentKind::NoUpdate) != nullptr) == many);
}

TEST_CASE("a cancelled judgement is Cancelled and nothing else", "[core][detect]")
{
    RunBuilder builder;
    builder.series("loss", {1, calm(150, 2.0)});
    const Run run = builder.take();
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    const auto judgement = judge(run, {}, Settings(), job);
    REQUIRE_FALSE(judgement);
    CHECK(judgement.error().code == ErrorCode::Cancelled);
}
