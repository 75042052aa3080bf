// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/scale_policy.h"
#include "tests/support/catch.h"

#include <cmath>
#include <vector>

using namespace firstbad::core;

namespace {

// The vector of the format reference: window 4 everywhere, hysteresis 2 where there is one.
const std::vector<int> kBad{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0};

struct Row {
    const char* name;
    ScalePolicy policy;
    ScaleRules rules;
    std::vector<int> log2Scale;
};

ScaleRules windowFour(int hysteresis, double max = 0.0, double tolerance = 0.0)
{
    ScaleRules rules;
    rules.window = 4;
    rules.hysteresis = hysteresis;
    rules.max = max;
    rules.tolerance = tolerance;
    return rules;
}

}  // namespace

TEST_CASE("every scale policy follows the reference vector", "[core][detect]")
{
    const auto row = GENERATE(values<Row>({
        {"pytorch", ScalePolicy::PyTorch, windowFour(1),
            {16, 15, 15, 15, 15, 16, 16, 16, 16, 17, 16, 16, 16, 15, 15, 15, 15, 16}},
        {"megatron", ScalePolicy::Megatron, windowFour(2),
            {16, 16, 16, 16, 16, 17, 17, 17, 17, 18, 18, 18, 18, 17, 17, 17, 17, 18}},
        {"deepspeed-a", ScalePolicy::DeepSpeedA, windowFour(2),
            {16, 16, 16, 16, 16, 17, 17, 17, 17, 18, 18, 18, 18, 17, 17, 17, 17, 18}},
        {"deepspeed-a-consecutive", ScalePolicy::DeepSpeedAConsecutive, windowFour(2),
            {16, 16, 16, 16, 16, 17, 17, 17, 17, 18, 18, 18, 18, 18, 18, 18, 18, 19}},
        {"deepspeed-b", ScalePolicy::DeepSpeedB, windowFour(2),
            {16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 17, 17, 16, 16, 16, 16, 16}},
        {"deepspeed-b-consecutive", ScalePolicy::DeepSpeedBConsecutive, windowFour(2),
            {16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17}},
        {"apex", ScalePolicy::Apex, windowFour(1, 65536.0),
            {16, 15, 15, 15, 15, 16, 16, 16, 16, 16, 15, 15, 15, 14, 14, 14, 14, 15}},
        {"fairseq", ScalePolicy::Fairseq, windowFour(1),
            {7, 6, 6, 6, 6, 7, 7, 7, 7, 8, 7, 7, 7, 6, 6, 6, 6, 7}},
        {"fairseq half", ScalePolicy::Fairseq, windowFour(1, 0.0, 0.5),
            {7, 6, 6, 6, 6, 7, 7, 7, 7, 8, 7, 7, 7, 7, 7, 7, 7, 8}},
    }));
    CAPTURE(row.name);
    const double start = row.policy == ScalePolicy::Fairseq ? 128.0 : 65536.0;
    ScaleMachine machine(row.policy, row.rules, start);

    std::vector<int> seen;
    for (const int bad : kBad)
        seen.push_back(static_cast<int>(std::log2(machine.step(bad != 0))));

    CHECK(seen == row.log2Scale);
}

TEST_CASE("a GradScaler has no floor and runs to zero", "[core][detect]")
{
    ScaleMachine machine(ScalePolicy::PyTorch, defaultRules(ScalePolicy::PyTorch), 65536.0);
    for (int i = 0; i < 20; ++i)
        machine.step(true);
    CHECK(machine.scale() == 65536.0 / 1048576.0);
}

TEST_CASE("Megatron's scale stops at its floor", "[core][detect]")
{
    ScaleMachine machine(ScalePolicy::Megatron, defaultRules(ScalePolicy::Megatron), 8.0);
    std::vector<double> seen;
    for (int i = 0; i < 6; ++i)
        seen.push_back(machine.step(true));
    CHECK(seen == std::vector<double>{8.0, 4.0, 2.0, 1.0, 1.0, 1.0});
}

TEST_CASE("fairseq gives up at its minimum and keeps the scale", "[core][detect]")
{
    ScaleMachine machine(ScalePolicy::Fairseq, defaultRules(ScalePolicy::Fairseq), 0.0002);
    machine.step(true);
    CHECK(machine.aborted());
    CHECK(machine.scale() == 0.0002);
}
