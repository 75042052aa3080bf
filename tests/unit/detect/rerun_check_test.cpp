// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/detect/judged.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

std::vector<double> samples(std::size_t count, double first, double each)
{
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(first + each * static_cast<double>(i));
    return values;
}

/// NaN at step 100, the last of attempt 1; attempt 2 does steps 91 to 140 with `again`.
Judgement afterReload(const std::vector<double>& again, double firstCount)
{
    RunBuilder run;
    run.series("loss", {1, with(calm(100, 2.0), 99, {kNan})});
    run.series("consumed samples", {1, samples(100, 8.0, 8.0)});
    run.attempt("2", 0);
    run.series("loss", {91, again});
    run.series("consumed samples", {91, samples(50, firstCount, 8.0)});
    return judged(run);
}

}  // namespace

TEST_CASE(
    "a NaN that the same step with the same data does not show again is transient", "[detect]")
{
    const Judgement judgement = afterReload(calm(50, 2.0), 728.0);
    const Incident* found = find(judgement, IncidentKind::Transient);
    REQUIRE(found);
    CHECK(found->verdict == IncidentClass::Unknown);
    CHECK(found->onsetStep == 100);
    CHECK(found->against.back().step == 100);
    CHECK_FALSE(found->unknown.empty());
    CHECK_FALSE(find(judgement, IncidentKind::NonfiniteLoss));
}

TEST_CASE("a step that passes with other data clears nothing", "[detect]")
{
    const Judgement judgement = afterReload(calm(50, 2.0), 9000.0);
    CHECK_FALSE(find(judgement, IncidentKind::Transient));
    const Incident* found = find(judgement, IncidentKind::NonfiniteLoss);
    REQUIRE(found);
    CHECK(found->verdict == IncidentClass::Fault);
    CHECK_FALSE(found->against.empty());
}

TEST_CASE("a step that fails again is no transient", "[detect]")
{
    const Judgement judgement = afterReload(with(calm(50, 2.0), 9, {kNan, kNan, kNan}), 728.0);
    CHECK_FALSE(find(judgement, IncidentKind::Transient));
    CHECK(faults(judgement) > 0);
}
