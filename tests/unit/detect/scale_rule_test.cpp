// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/detect/judged.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

/// `count` halvings in a row from point `at` on, then the low scale stays.
std::vector<double> falling(std::size_t size, double start, std::size_t at, std::size_t count)
{
    std::vector<double> scale;
    double now = start;
    for (std::size_t i = 0; i < size; ++i) {
        if (i >= at && i < at + count)
            now *= 0.5;
        scale.push_back(now);
    }
    return scale;
}

}  // namespace

TEST_CASE("one halving that holds is a probe, and its infinite norm no fault", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(200, 2.0)});
    run.series("grad_norm", {1, with(calm(200, 0.5), 100, {kInf})});
    run.series("loss_scale", {1, falling(200, 65536.0, 100, 1)});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    CHECK(judgement.incidents[0].kind == IncidentKind::ScaleProbe);
    CHECK(judgement.incidents[0].verdict == IncidentClass::Benign);
    CHECK(judgement.incidents[0].onsetStep == 101);
}

TEST_CASE("seven halvings in a row are a collapse", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(200, 2.0)});
    run.series("loss_scale", {1, falling(200, 65536.0, 100, 7)});
    const Judgement judgement = judged(run);

    const Incident* collapse = find(judgement, IncidentKind::ScaleCollapse);
    REQUIRE(collapse);
    CHECK(collapse->onsetStep == 101);
    CHECK(collapse->endStep == 107);
    CHECK(collapse->verdict == IncidentClass::Fault);
    CHECK(judgement.audit.skippedTotal == 7);
}

TEST_CASE("a search at the very start that comes to hold is benign", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(300, 2.0)});
    run.series("loss_scale", {1, falling(300, 4294967296.0, 1, 17)});
    const Judgement judgement = judged(run);

    CHECK(faults(judgement) == 0);
    REQUIRE(find(judgement, IncidentKind::ScaleProbe));
}

TEST_CASE("a search at the start that never ends is a fault", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(40, 2.0)});
    run.series("loss_scale", {1, falling(40, 65536.0, 1, 39)});
    CHECK(find(judged(run), IncidentKind::ScaleCollapse));
}

TEST_CASE("skips without a move of the scale are a burst", "[core][detect]")
{
    std::vector<double> skipped(200, 0.0);
    RunBuilder run;
    run.series("loss", {1, calm(200, 2.0)});
    run.series("loss scale", {1, std::vector<double>(200, 1024.0)});
    run.series(
        "number of skipped iterations", {1, with(skipped, 100, std::vector<double>(12, 1.0))});
    const Judgement judgement = judged(run);

    const Incident* burst = find(judgement, IncidentKind::SkipBurst);
    REQUIRE(burst);
    CHECK(burst->onsetStep == 101);
    REQUIRE(judgement.audit.skippedRuns.size() == 1);
    CHECK(judgement.audit.skippedRuns[0].from == 101);
    CHECK(judgement.audit.skippedRuns[0].to == 112);
    CHECK(judgement.audit.skippedRuns[0].length == 12);
}

TEST_CASE("a scale set by hand is a violation, growth and halving are none", "[core][detect]")
{
    std::vector<double> scale(400, 1024.0);
    std::fill(scale.begin() + 200, scale.end(), 3072.0);
    RunBuilder run;
    run.series("loss", {1, calm(400, 2.0)});
    run.series("loss_scale", {1, scale});
    const Judgement judgement = judged(run);

    const Incident* violation = find(judgement, IncidentKind::ScaleViolation);
    REQUIRE(violation);
    CHECK(violation->onsetStep == 201);
    CHECK(violation->verdict == IncidentClass::Unknown);
    REQUIRE(judgement.audit.firstViolation);
    CHECK(judgement.audit.firstViolation->step == 201);
    CHECK(judgement.audit.firstViolation->seen == 3072.0);
}
