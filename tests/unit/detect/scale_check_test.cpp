// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/detect/judged.h"

#include "core/detect/scale_policy.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

struct Recorded {
    std::vector<double> scale;
    std::vector<double> skipped;
};

/// What a scaler would have logged after each step, from step `from` of its life on.
Recorded record(ScalePolicy policy, const std::vector<int>& badSteps, std::size_t from)
{
    ScaleRules rules = defaultRules(policy);
    rules.window = 50;
    ScaleMachine machine(policy, rules, 65536.0);
    Recorded recorded;
    for (std::size_t i = 0; i < 600; ++i) {
        const bool bad
            = std::find(badSteps.begin(), badSteps.end(), static_cast<int>(i)) != badSteps.end();
        const double scale = machine.step(bad);
        if (i >= from) {
            recorded.scale.push_back(scale);
            recorded.skipped.push_back(bad ? 1.0 : 0.0);
        }
    }
    return recorded;
}

}  // namespace

TEST_CASE("a scale that a policy wrote is consistent from any start", "[core][detect]")
{
    const auto policy = GENERATE(ScalePolicy::PyTorch, ScalePolicy::Megatron,
        ScalePolicy::DeepSpeedA, ScalePolicy::DeepSpeedAConsecutive, ScalePolicy::DeepSpeedB,
        ScalePolicy::DeepSpeedBConsecutive, ScalePolicy::Fairseq);
    const std::size_t from = GENERATE(0U, 33U, 210U);
    const Recorded recorded = record(policy, {120, 240, 242, 400}, from);
    RunBuilder run;
    run.series("loss", {1, calm(recorded.scale.size(), 2.0)});
    run.series("loss_scale", {1, recorded.scale});
    run.series("skipped", {1, recorded.skipped});
    run.traits([&](LogTraits& traits) { traits.dialect = toString(policy); });
    const Audit audit = judged(run).audit;

    CAPTURE(toString(policy), from, audit.scalePolicy);
    CHECK(audit.scaleConsistent);
    CHECK_FALSE(audit.firstViolation);
}

TEST_CASE("the rule for growth tells the policies apart", "[core][detect]")
{
    const Recorded recorded
        = record(ScalePolicy::DeepSpeedBConsecutive, {120, 240, 242, 400, 420}, 0);
    RunBuilder run;
    run.series("loss_scale", {1, recorded.scale});
    run.series("skipped", {1, recorded.skipped});
    CHECK(judged(run).audit.scalePolicy == "deepspeed-b-consecutive");
}

TEST_CASE("a scale that never moves is constant", "[core][detect]")
{
    RunBuilder run;
    run.series("loss_scale", {1, std::vector<double>(100, 1.0)});
    const Audit audit = judged(run).audit;
    CHECK(audit.scalePolicy == "constant");
    CHECK(audit.scaleConsistent);
}
