// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/column.h"
#include "tests/support/catch.h"

#include <limits>

using namespace firstbad::core;

namespace {
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
}  // namespace

TEST_CASE("a column keeps every value and counts the kinds apart from missing", "[core][series]")
{
    ColumnBuilder builder;
    builder.add(1, 2.0, kNan, 0);
    builder.add(2, kNan, 10.0, 7);
    builder.add(3, -kInf, 11.0, 8);
    builder.addMissing(4);
    builder.add(5, 4.0, 12.0, 9);
    const Column column = builder.takeAll();

    const ColumnSummary summary = summarise(column);
    CHECK(summary.counts == KindCounts{2, 1, 0, 1});
    CHECK(summary.missing == 1);
    CHECK(summary.sumFinite == 6.0);
    CHECK(summary.min == 2.0);
    CHECK(summary.max == 4.0);
    CHECK(summary.firstNonfiniteStep == 2);
    CHECK(classify(column.timeAt(0)) == ValueKind::NotANumber);
    CHECK(column.timeAt(1) == 10.0);
    CHECK_FALSE(column.lineAt(0));
    CHECK(column.lineAt(1) == 7U);
}

TEST_CASE("slices over block borders equal the points put in", "[core][series]")
{
    ColumnBuilder builder;
    constexpr std::int64_t kCount = 70000;  // more than two blocks
    for (std::int64_t i = 0; i < kCount; ++i)
        builder.add(i, static_cast<double>(i) / 2, i > 40000 ? static_cast<double>(i) : kNan, 0);
    const Column part = builder.slice(32760, 66000, 0, 0);
    REQUIRE(part.size() == 66000 - 32760);
    CHECK(part.steps.front() == 32760);
    CHECK(part.values.back() == 65999 / 2.0);
    REQUIRE(part.times.size() == part.size());
    CHECK(part.timeAt(65999 - 32760) == 65999.0);
    CHECK(builder.takeAll().size() == static_cast<std::size_t>(kCount));
}

TEST_CASE("the sum of finite values is compensated", "[core][series]")
{
    ColumnBuilder builder;
    for (const double value : {1e16, 1.0, -1e16, kNan, kInf})
        builder.add(0, value, kNan, 0);
    CHECK(summarise(builder.takeAll()).sumFinite == 1.0);
}
