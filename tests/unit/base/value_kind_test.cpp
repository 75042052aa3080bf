// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/compare.h"
#include "core/base/value_kind.h"
#include "tests/support/catch.h"

#include <limits>

using namespace firstbad::core;

namespace {
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
}  // namespace

TEST_CASE("classify tells the four kinds apart, payloads and signs included", "[core][base]")
{
    CHECK(classify(0.0) == ValueKind::Finite);
    CHECK(classify(-0.0) == ValueKind::Finite);
    CHECK(classify(std::numeric_limits<double>::max()) == ValueKind::Finite);
    CHECK(classify(std::numeric_limits<double>::denorm_min()) == ValueKind::Finite);
    CHECK(classify(kNan) == ValueKind::NotANumber);
    CHECK(classify(-kNan) == ValueKind::NotANumber);
    CHECK(classify(std::bit_cast<double>(0x7FF0'0000'0000'0001ULL)) == ValueKind::NotANumber);
    CHECK(classify(kInf) == ValueKind::PlusInfinity);
    CHECK(classify(-kInf) == ValueKind::MinusInfinity);
}

TEST_CASE("nothing is within a tolerance of NaN and NaN exceeds nothing", "[core][base]")
{
    CHECK(within(1.0, 1.5, 0.5));
    CHECK_FALSE(within(1.0, 1.6, 0.5));
    CHECK_FALSE(within(kNan, 1.0, 1e9));
    CHECK_FALSE(within(kInf, kInf, 1.0));
    CHECK(exceeds(kInf, 1.0));
    CHECK_FALSE(exceeds(kNan, 1.0));
    CHECK(orderedBefore(-kInf, 0.0));
    CHECK(orderedBefore(kInf, kNan));
    CHECK_FALSE(orderedBefore(kNan, kNan));
}
