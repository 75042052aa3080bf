// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/time.h"
#include "tests/support/catch.h"

#include <limits>

using namespace firstbad::core;

TEST_CASE("times of logs are read to the fraction and the zone", "[core][base]")
{
    // 2022-05-28T03:52:37Z is 1653709957 (stated in the facts of the GLM-130B event files).
    CHECK(parseTimePrefix("2022-05-28 03:52:37")->seconds == 1653709957.0);
    CHECK(parseTimePrefix("2022-05-28T11:52:37+08:00")->seconds == 1653709957.0);
    CHECK(parseTimePrefix("2022-05-28 03:52:37,250 - x")->seconds == Approx(1653709957.25));
    CHECK(parseTimePrefix("2022/05/28 03:52:37")->length == 19);
    CHECK_FALSE(parseTimePrefix("2022-13-28 03:52:37"));
    CHECK_FALSE(parseTimePrefix("2022-05-28"));
}

TEST_CASE("times are written as ISO 8601 in UTC", "[core][base]")
{
    CHECK(toIso8601(1653709957.25) == "2022-05-28T03:52:37.250Z");
    CHECK(toIso8601(-1.0) == "1969-12-31T23:59:59.000Z");
    CHECK(toIso8601(std::numeric_limits<double>::quiet_NaN()).empty());
}
