// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/timeline/ticks.h"
#include "tests/support/catch.h"

#include <limits>

using namespace firstbad::core;

TEST_CASE("linear ticks are round and inside the range", "[present]")
{
    CHECK(valueTicks(PlotScale::Linear, {1.7, 8.3}, 4) == std::vector<double>{2, 4, 6, 8});
    CHECK(stepTicks(33'560, 33'880, 16).front() == 33'560);
    CHECK(stepTicks(33'560, 33'880, 16).size() == 17);
    CHECK(stepTicks(1, 3, 50) == std::vector<double>{1, 2, 3});
}

TEST_CASE("log ticks are powers, thinned to the number asked for", "[present]")
{
    CHECK(valueTicks(PlotScale::Log2, {1, 65'536}, 5)
        == std::vector<double>{1, 16, 256, 4096, 65'536});
    const auto decades = valueTicks(PlotScale::Log10, {0.2, 40}, 6);
    const std::vector<double> expected{0.3, 1, 3, 10, 30};
    REQUIRE(decades.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(decades[i] == Approx(expected[i]));
}

TEST_CASE("time ticks lie on round times", "[present]")
{
    const auto ticks = timeTicks(1'000'000'000, 1'000'003'600, 6);
    REQUIRE(ticks.size() >= 2);
    CHECK(static_cast<long long>(ticks[0]) % 600 == 0);
    CHECK(timeTickText(0, 60) == "00:00");
    CHECK(timeTickText(86'400, 86'400) == "01-02");
}

TEST_CASE("a range without width, or that is not finite, has no ticks", "[present]")
{
    const double bad = GENERATE(
        std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1.0);
    CHECK(valueTicks(PlotScale::Linear, {1.0, bad}, 5).empty());
    CHECK(timeTicks(1.0, bad, 5).empty());
    CHECK(stepTicks(bad, bad, 5).empty());
}
