// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/detect/judged.h"

#include <cmath>

using namespace firstbad::core;
using namespace firstbad::test;

TEST_CASE("a loss that jumps and comes back is a recovered spike", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, with(calm(200, 2.0), 119, {5.0, 6.0, 5.0, 4.0})});
    const Judgement judgement = judged(run);

    const Incident* spike = find(judgement, IncidentKind::LossSpike);
    REQUIRE(spike);
    CHECK(spike->onsetStep == 120);
    CHECK(spike->peakStep == 121);
    CHECK(spike->endStep == 123);
    CHECK(spike->recovered == true);
    CHECK(spike->verdict == IncidentClass::Fault);
    CHECK(spike->restoreBeforeStep < 120);
    CHECK_FALSE(spike->evidence.empty());
    CHECK_FALSE(spike->against.empty());
}

TEST_CASE("a loss that stays up has not recovered", "[core][detect]")
{
    RunBuilder run;
    auto values = calm(100, 2.0);
    const auto high = calm(100, 7.0);
    values.insert(values.end(), high.begin(), high.end());
    run.series("loss", {1, values});
    const Judgement judgement = judged(run);

    const Incident* spike = find(judgement, IncidentKind::LossSpike);
    REQUIRE(spike);
    CHECK(spike->onsetStep == 101);
    CHECK(spike->recovered == false);
    CHECK_FALSE(spike->endStep);
}

TEST_CASE("an exponential decay has the half life it was made with", "[core][detect]")
{
    auto values = calm(700, 2.5);
    for (int i = 0; i < 600; ++i)
        values.push_back(2.5 + 3.5 * std::pow(0.5, i / 80.0));
    RunBuilder run;
    run.series("loss", {1, values});
    const Judgement judgement = judged(run);

    const Incident* spike = find(judgement, IncidentKind::LossSpike);
    REQUIRE(spike);
    REQUIRE(spike->halfLifeSteps);
    CHECK(*spike->halfLifeSteps == Approx(80.0).margin(3.0));
    CHECK(spike->recovered == true);
}

TEST_CASE("NaN in the window does not blind the detector", "[core][detect]")
{
    auto values = with(calm(200, 2.0), 90, {kNan});
    RunBuilder run;
    run.series("loss", {1, with(values, 110, {6.0, 6.0, 6.0})});
    const Judgement judgement = judged(run);

    const Incident* spike = find(judgement, IncidentKind::LossSpike);
    REQUIRE(spike);
    CHECK(spike->onsetStep == 111);
}

TEST_CASE("a log of every 100th step is judged by its points", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {100, with(calm(80, 2.0), 60, {5.0, 4.5, 4.0}), 100});
    const Judgement judgement = judged(run);

    const Incident* spike = find(judgement, IncidentKind::LossSpike);
    REQUIRE(spike);
    CHECK(spike->onsetStep == 6100);
}

TEST_CASE("noise, fast descent and slow drift are no spikes", "[core][detect]")
{
    std::vector<double> descent;
    for (int i = 0; i < 300; ++i)
        descent.push_back(2.0 + 9.0 * std::exp(-i / 15.0) + 0.05 * (i % 5));
    std::vector<double> drift;
    for (int i = 0; i < 300; ++i)
        drift.push_back(2.0 + 0.002 * i);
    const std::vector<std::vector<double>> quiet{calm(200, 2.0), with(calm(200, 2.0), 100, {2.3}),
        descent, drift, std::vector<double>(200, 0.0), {3.0, 2.9}, {}};
    const std::size_t which = GENERATE(range<std::size_t>(0, 7));
    CAPTURE(which);
    RunBuilder run;
    run.series("loss", {1, quiet[which]});
    CHECK(faults(judged(run)) == 0);
}

TEST_CASE("norm and loss that leave together are one incident with both quoted", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, with(calm(200, 2.0), 121, {5.0, 6.0, 5.0, 4.0})});
    run.series("grad_norm", {1, with(calm(200, 0.3), 120, {2.0, 4.0, 2.0, 1.0})});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    CHECK(judgement.incidents[0].kind == IncidentKind::LossSpike);
    CHECK(judgement.incidents[0].onsetStep == 121);
    CHECK(judgement.incidents[0].evidence.front().series == "grad_norm");
}

TEST_CASE("a norm spike alone is not called a fault", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, calm(200, 2.0)});
    run.series("grad_norm", {1, with(calm(200, 0.3), 120, {4.0, 4.0, 3.0})});
    const Judgement judgement = judged(run);

    REQUIRE(find(judgement, IncidentKind::GradSpike));
    CHECK(faults(judgement) == 0);
}

TEST_CASE("an update norm that leads is quoted before the loss", "[core][detect]")
{
    RunBuilder run;
    run.series("loss", {1, with(calm(200, 2.0), 122, {5.0, 6.0, 5.0, 4.0})});
    run.series("update_norm", {1, with(calm(200, 1.0), 119, {3.0, 3.0, 3.0, 3.0, 3.0})});
    const Judgement judgement = judged(run);

    const Incident* spike = find(judgement, IncidentKind::LossSpike);
    REQUIRE(spike);
    const bool quoted = std::any_of(spike->evidence.begin(), spike->evidence.end(),
        [](const Evidence& one) { return one.series == "update_norm" && one.step == 120; });
    CHECK(quoted);
}
