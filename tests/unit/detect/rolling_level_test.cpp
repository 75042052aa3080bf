// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/rolling_level.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <random>

using namespace firstbad::core;

namespace {

double plainMedian(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

TEST_CASE("the rolling level equals median and MAD of the last values", "[core][detect]")
{
    std::mt19937 random(7);
    std::uniform_int_distribution<int> draw(0, 40);  // ties on purpose
    const std::size_t window = GENERATE(1U, 2U, 7U, 48U);
    RollingLevel rolling(window);
    std::vector<double> all;
    for (int i = 0; i < 300; ++i) {
        all.push_back(draw(random) * 0.25);
        rolling.add(all.back());
        std::vector<double> last(
            all.end() - static_cast<std::ptrdiff_t>(std::min(window, all.size())), all.end());
        const double median = plainMedian(last);
        for (double& value : last)
            value = std::abs(value - median);
        const Level level = rolling.level();
        REQUIRE(level.median == median);
        REQUIRE(level.mad == plainMedian(last));
        REQUIRE(level.count == last.size());
    }
}

TEST_CASE("an empty level stands on nothing", "[core][detect]")
{
    CHECK(RollingLevel(8).level().count == 0);
}
