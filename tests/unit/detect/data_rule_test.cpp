// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/detect/judged.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

/// Two attempts, steps 1-10 and `from` on, with these fingerprints of their samples.
Judgement resumed(std::int64_t from, const std::vector<double>& second)
{
    RunBuilder builder;
    builder.series("loss", {1, calm(10, 2.0)});
    builder.series("sample_ids", {1, {11, 12, 13, 14, 15, 16, 17, 18, 19, 20}});
    builder.attempt("2", 0);
    builder.series("loss", {from, calm(second.size(), 2.0)});
    builder.series("sample_ids", {from, second});
    Run run = builder.take();
    for (Series& series : run.series) {
        if (series.name == "sample_ids")
            series.unit = "fingerprint";
    }
    JobContext job;
    auto judgement = judge(run, {}, Settings(), job);
    REQUIRE(judgement);
    return std::move(*judgement);
}

}  // namespace

TEST_CASE("steps done again with other samples are a resume to look at", "[detect]")
{
    const Judgement judgement = resumed(6, {16, 17, 98, 99, 97, 31});
    const Incident* found = find(judgement, IncidentKind::BadResume);
    REQUIRE(found);
    CHECK(found->verdict == IncidentClass::Unknown);
    CHECK(found->onsetStep == 8);
    CHECK(found->endStep == 10);
    CHECK(found->title.find("3 of 5 steps") != std::string::npos);
    CHECK_FALSE(find(judgement, IncidentKind::DataRepeat));
}

TEST_CASE("batches of before that come again after a restart are data seen twice", "[detect]")
{
    const Judgement judgement = resumed(11, {11, 12, 13, 31});
    const Incident* found = find(judgement, IncidentKind::DataRepeat);
    REQUIRE(found);
    CHECK(found->onsetStep == 11);
    CHECK(found->endStep == 13);
    CHECK(found->title.find("3 batch") != std::string::npos);
}

TEST_CASE("a resume that goes on with its data is quiet", "[detect]")
{
    const Judgement again = resumed(6, {16, 17, 18, 19, 20, 21});
    CHECK_FALSE(find(again, IncidentKind::BadResume));
    CHECK_FALSE(find(again, IncidentKind::DataRepeat));
    CHECK_FALSE(find(resumed(11, {21, 22, 23}), IncidentKind::DataRepeat));
}

TEST_CASE("losses of 0 with a living gradient are looked at and found well", "[detect]")
{
    RunBuilder run;
    run.series("loss", {1, std::vector<double>(50, 0.0)});
    run.series("grad_norm", {1, calm(50, 0.3)});
    const Judgement judgement = judged(run);
    const Incident* none = find(judgement, IncidentKind::None);
    REQUIRE(none);
    CHECK(none->verdict == IncidentClass::Benign);
    CHECK(faults(judgement) == 0);
}

TEST_CASE("losses of 0 beside a norm that is NaN are never found well", "[detect]")
{
    RunBuilder run;
    run.series("loss", {1, std::vector<double>(50, 0.0)});
    run.series("grad_norm", {1, with(calm(50, 0.3), 30, std::vector<double>(20, kNan))});
    const Judgement judgement = judged(run);
    CHECK_FALSE(find(judgement, IncidentKind::None));
    CHECK(faults(judgement) > 0);
}

TEST_CASE("an infinite norm over finite parts is a norm overflow", "[detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(100, 2.0)});
    run.series("grad_norm", {1, with(calm(100, 0.3), 50, {kInf, kInf})});
    run.series("embedding/grad_norm_l2", {1, with(calm(100, 0.2), 50, {3e19, 3e19})});
    const Judgement judgement = judged(run);
    const Incident* found = find(judgement, IncidentKind::NormOverflow);
    REQUIRE(found);
    CHECK(found->verdict == IncidentClass::Fault);
    CHECK(found->onsetStep == 51);
}

TEST_CASE("a scaler that skips nothing speaks for a norm overflow", "[detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(100, 2.0)});
    run.series("grad_norm", {1, with(calm(100, 0.3), 50, {kInf})});
    run.series("loss_scale", {1, with(std::vector<double>(100, 64.0), 80, {128, 128, 128, 128})});
    run.series("skipped", {1, std::vector<double>(100, 0.0)});
    CHECK(find(judged(run), IncidentKind::NormOverflow));
}

TEST_CASE("an infinite norm with an infinite part is no norm overflow", "[detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(100, 2.0)});
    run.series("grad_norm", {1, with(calm(100, 0.3), 50, {kInf})});
    run.series("embedding/grad_norm_l2", {1, with(calm(100, 0.2), 50, {kInf})});
    CHECK_FALSE(find(judged(run), IncidentKind::NormOverflow));
}
