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

TEST_CASE("many values that are back at once are one unknown that quotes each", "[detect]")
{
    std::vector<double> values = calm(600, 2.0);
    for (const std::size_t at : {100U, 200U, 300U, 400U, 500U})
        values[at] = 2.6;
    values[400] = 2.8;
    RunBuilder run;
    run.series("loss", {1, values});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    const Incident& one = judgement.incidents[0];
    CHECK(one.kind == IncidentKind::LossSpike);
    CHECK(one.verdict == IncidentClass::Unknown);
    CHECK(one.onsetStep == 401);  // the highest stands for all
    REQUIRE(one.evidence.size() == 5);
    CHECK(one.evidence[0].value == 2.8);
    CHECK_FALSE(one.restoreBeforeStep);
}

TEST_CASE("a value far above many small ones is told alone", "[detect]")
{
    std::vector<double> values = calm(600, 2.0);
    for (const std::size_t at : {100U, 200U, 300U, 400U})
        values[at] = 2.3;
    values[500] = 9.0;
    RunBuilder run;
    run.series("loss", {1, values});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 2);
    CHECK(judgement.incidents[0].onsetStep == 501);
    CHECK(judgement.incidents[0].verdict == IncidentClass::Fault);
    CHECK(judgement.incidents[1].verdict == IncidentClass::Unknown);
    CHECK(judgement.incidents[1].evidence.size() == 4);
}

TEST_CASE("single spikes of the gradient norm are gathered too", "[detect]")
{
    std::vector<double> values = calm(600, 0.3);
    for (const std::size_t at : {100U, 200U, 300U, 400U, 500U})
        values[at] = 0.9;
    RunBuilder run;
    run.series("loss", {1, calm(600, 2.0)});
    run.series("grad_norm", {1, values});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    CHECK(judgement.incidents[0].kind == IncidentKind::GradSpike);
    CHECK(judgement.incidents[0].evidence.size() == 5);
}

TEST_CASE("a loss that overshoots after its first value is seen, as unknown", "[detect]")
{
    std::vector<double> values{6.94, 16.88, 9.0, 6.57, 6.67, 6.5, 6.28, 6.0, 6.0, 5.97};
    RunBuilder run;
    run.series("loss", {1, values});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    CHECK(judgement.incidents[0].onsetStep == 2);
    CHECK(judgement.incidents[0].verdict == IncidentClass::Unknown);
    CHECK(judgement.incidents[0].recovered == true);
}

TEST_CASE("a loss that leaves after two values and stays up is a fault", "[detect]")
{
    RunBuilder run;
    run.series("loss", {25, {1.593, 1.406, 3.316, 6.437, 5.478, 4.857, 4.874, 4.604}, 25});
    const Judgement judgement = judged(run);

    REQUIRE(judgement.incidents.size() == 1);
    CHECK(judgement.incidents[0].onsetStep == 75);
    CHECK(judgement.incidents[0].verdict == IncidentClass::Fault);
    CHECK(judgement.incidents[0].recovered == false);
}

TEST_CASE("a level logged long ago does not hide a spike", "[detect]")
{
    // 30 values around 8 up to step 300, then an excerpt that begins at step 9,000 around 3.
    Column column;
    for (int i = 0; i < 30; ++i) {
        column.steps.push_back(10 * (i + 1));
        column.values.push_back(i % 2 == 0 ? 8.0 : 8.1);
    }
    for (const double value : {3.06, 3.11, 7.71}) {
        column.steps.push_back(column.steps.back() < 9000 ? 9000 : column.steps.back() + 1);
        column.values.push_back(value);
    }
    Run run = RunBuilder().series("loss", {10, {1.0}, 10}).take();
    run.series[0].columns[0] = std::make_shared<const Column>(std::move(column));
    run.attempts[0].lastStep = 9002;
    JobContext job;
    const auto judgement = judge(run, {}, Settings(), job);

    REQUIRE(judgement);
    REQUIRE(judgement->incidents.size() == 1);
    CHECK(judgement->incidents[0].kind == IncidentKind::LossSpike);
    CHECK(judgement->incidents[0].onsetStep == 9002);
}

TEST_CASE("a norm spike that the loss follows is a fault", "[detect]")
{
    RunBuilder run;
    run.series("loss", {6900, {6.37, 6.60, 7.31, 9.12, 10.24}, 10});
    run.series("grad_norm", {6900, {95.3, 84.7, 122.7, 283.4, 42.4}, 10});
    const Judgement judgement = judged(run);

    const Incident* spike = find(judgement, IncidentKind::GradSpike);
    REQUIRE(spike);
    CHECK(spike->verdict == IncidentClass::Fault);
    CHECK(spike->onsetStep == 6930);
    CHECK(spike->evidence.back().series == "loss");
}
