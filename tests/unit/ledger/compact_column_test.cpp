// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/value_kind.h"
#include "core/ledger/compact_column.h"
#include "tests/support/catch.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace firstbad::core;

namespace {

CompactColumn columnOf(const std::vector<double>& values)
{
    CompactColumn column;
    for (const double value : values)
        column.add(value);
    return column;
}

std::vector<double> noise(std::size_t count)
{
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal(2.0, 0.1);
    std::vector<double> values(count);
    for (double& value : values)
        value = normal(random);
    return values;
}

}  // namespace

TEST_CASE("A compact column gives back every bit that was put in", "[core][ledger]")
{
    constexpr double kInf = std::numeric_limits<double>::infinity();
    std::vector<double> values = noise(3000);
    for (int i = 0; i < 3000; ++i)
        values.push_back(i * 32.0);
    values.insert(values.end(), 500, 65536.0);
    values.insert(values.end(), {std::nan(""), std::nan(""), kInf, -kInf, kInf, 0.0, -0.0, 1e308});
    const CompactColumn column = columnOf(values);
    REQUIRE(column.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        REQUIRE(column.at(i));
        CHECK(
            std::bit_cast<std::uint64_t>(*column.at(i)) == std::bit_cast<std::uint64_t>(values[i]));
    }
    CHECK_FALSE(column.at(values.size()));
}

TEST_CASE("Constants and counters cost nothing a row, noise eight bytes", "[core][ledger]")
{
    CompactColumn counter;
    for (int i = 0; i < 100000; ++i)
        counter.add(4096.0 * i);
    CHECK(counter.bytes() < 100);
    CompactColumn noisy = columnOf(noise(100000));
    noisy.shrink();
    CHECK(noisy.bytes() == 100000 * sizeof(double));
}

TEST_CASE("Missing is no number, not even NaN", "[core][ledger]")
{
    CompactColumn column;
    column.add(1.0);
    column.addMissing();
    column.add(std::nan(""));
    column.fillTo(6);
    CHECK(column.at(0) == 1.0);
    CHECK_FALSE(column.at(1));
    REQUIRE(column.at(2));
    CHECK(classify(*column.at(2)) == ValueKind::NotANumber);
    CHECK_FALSE(column.at(5));
    CHECK_FALSE(column.isMissingUpTo(6));
}

TEST_CASE("Two columns start alike only where every row is the same", "[core][ledger]")
{
    std::vector<double> values;
    for (int i = 0; i < 200; ++i)
        values.push_back(i < 100 ? i : 7.0);
    const CompactColumn one = columnOf(values);
    const std::size_t changed = GENERATE(as<std::size_t>(), 0, 1, 50, 99, 100, 101, 150, 199);
    CAPTURE(changed);
    values[changed] += 0.5;
    const CompactColumn other = columnOf(values);
    for (std::size_t rows = 0; rows <= 200; ++rows)
        CHECK(one.startsLike(other, rows) == (rows <= changed));
    CHECK_FALSE(one.startsLike(one, 201));
}
