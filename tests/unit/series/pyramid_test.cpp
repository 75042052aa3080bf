// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/pyramid.h"
#include "tests/support/catch.h"

#include <bit>
#include <limits>
#include <rapidcheck.h>

using namespace firstbad::core;

namespace {

/// A column of any bit patterns: about one value in four is not finite.
rc::Gen<Column> anyColumn(bool ascending)
{
    return rc::gen::exec([ascending] {
        Column column;
        const auto size = *rc::gen::inRange<std::size_t>(0, 5000);
        const auto seed = *rc::gen::arbitrary<std::uint32_t>();
        std::uint64_t state = seed | 1U;
        const auto next = [&] {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            return state >> 20U;
        };
        std::int64_t step = static_cast<std::int64_t>(next() % 1000) - 500;
        for (std::size_t i = 0; i < size; ++i) {
            step += static_cast<std::int64_t>(next() % 4) - (ascending ? 0 : 1);
            column.steps.push_back(step);
            switch (next() % 16) {
            case 0:
                column.values.push_back(
                    std::bit_cast<double>(0x7FF0'0000'0000'0000U | (next() & 7U)));
                break;
            case 1:
                column.values.push_back(
                    std::bit_cast<double>(0xFFF0'0000'0000'0000U | (next() & 1U)));
                break;
            default:
                column.values.push_back(static_cast<double>(next() % 100000) - 50000.0);
            }
            if (next() % 16 == 0)
                column.missingSteps.push_back(step + 1);
        }
        return column;
    });
}

void addTo(PixelColumn& pixel, double value)
{
    const ValueKind kind = classify(value);
    pixel.counts.add(kind);
    if (kind != ValueKind::Finite)
        return;
    pixel.min = pixel.min ? std::min(*pixel.min, value) : value;
    pixel.max = pixel.max ? std::max(*pixel.max, value) : value;
}

bool same(const PixelColumn& a, const PixelColumn& b)
{
    return a.min == b.min && a.max == b.max && a.counts == b.counts && a.missing == b.missing;
}

/// The pixel of a step or point by scanning the borders: slow and plain.
std::size_t pixelOf(std::uint64_t offset, std::uint64_t whole, std::size_t pixels)
{
    std::size_t found = 0;
    for (std::size_t i = 0; i < pixels; ++i)
        if (whole / pixels * i + whole % pixels * i / pixels <= offset)
            found = i;
    return found;
}

}  // namespace

TEST_CASE("pixel columns by points equal a full scan", "[core][series]")
{
    CHECK(rc::check([] {
        const auto column = std::make_shared<const Column>(*anyColumn(true));
        const auto from = *rc::gen::inRange<std::size_t>(0, column->size() + 1);
        const auto to = *rc::gen::inRange<std::size_t>(from, column->size() + 1);
        const auto pixels = *rc::gen::inRange<std::size_t>(1, 40);
        const auto found = Pyramid(column).byPoints(from, to, pixels);
        RC_ASSERT(found.size() == (from < to ? pixels : 0));
        std::size_t expectedFrom = from;
        for (const PixelColumn& pixel : found) {
            RC_ASSERT(pixel.firstPoint == expectedFrom);
            PixelColumn plain;
            for (std::size_t i = pixel.firstPoint; i < pixel.endPoint; ++i)
                addTo(plain, column->values[i]);
            RC_ASSERT(same(pixel, plain));
            expectedFrom = pixel.endPoint;
        }
        RC_ASSERT(from == to || expectedFrom == to);
    }));
}

TEST_CASE("pixel columns by steps equal a full scan, sorted or not", "[core][series]")
{
    CHECK(rc::check([] {
        const auto column = std::make_shared<const Column>(*anyColumn(*rc::gen::arbitrary<bool>()));
        const auto first = *rc::gen::inRange<std::int64_t>(-600, 4000);
        const auto last = first + *rc::gen::inRange<std::int64_t>(0, 6000);
        const auto pixels = *rc::gen::inRange<std::size_t>(1, 40);
        const auto found = Pyramid(column).bySteps(first, last, pixels);
        std::vector<PixelColumn> plain(pixels);
        const auto whole = static_cast<std::uint64_t>(last - first);
        const auto at = [&](std::int64_t step) -> PixelColumn& {
            return plain[pixelOf(static_cast<std::uint64_t>(step - first), whole, pixels)];
        };
        for (std::size_t i = 0; i < column->size(); ++i)
            if (column->steps[i] >= first && column->steps[i] <= last)
                addTo(at(column->steps[i]), column->values[i]);
        for (const std::int64_t step : column->missingSteps)
            if (step >= first && step <= last)
                ++at(step).missing;
        RC_ASSERT(found.size() == pixels);
        for (std::size_t i = 0; i < pixels; ++i)
            RC_ASSERT(same(found[i], plain[i]));
    }));
}

TEST_CASE("every non-finite sample is kept with its kind", "[core][series]")
{
    CHECK(rc::check([] {
        const auto column = std::make_shared<const Column>(*anyColumn(true));
        std::vector<NonfiniteMark> expected;
        for (std::size_t i = 0; i < column->size(); ++i)
            if (!isFinite(column->values[i]))
                expected.push_back({i, classify(column->values[i])});
        const Pyramid pyramid(column);
        RC_ASSERT(pyramid.marks(0, column->size(), expected.size() + 1) == expected);
        const auto few = pyramid.marks(0, column->size(), 3);
        RC_ASSERT(few.size() == std::min<std::size_t>(3, expected.size()));
    }));
}

TEST_CASE(
    "one NaN among many points is in exactly one pixel column at every zoom", "[core][series]")
{
    auto column = std::make_shared<Column>();
    for (std::int64_t step = 0; step < 100000; ++step) {
        column->steps.push_back(step);
        column->values.push_back(1.0);
    }
    column->values[77777] = std::numeric_limits<double>::quiet_NaN();
    const Pyramid pyramid(column);
    for (const std::size_t pixels : {1U, 80U, 1000U, 4000U}) {
        std::uint64_t seen = 0;
        for (const PixelColumn& pixel : pyramid.bySteps(0, 99999, pixels))
            seen += pixel.counts.nan;
        CHECK(seen == 1);
    }
}

TEST_CASE("the whole range of step numbers can be asked for", "[core][series]")
{
    auto column = std::make_shared<Column>();
    column->steps
        = {std::numeric_limits<std::int64_t>::min(), 0, std::numeric_limits<std::int64_t>::max()};
    column->values = {1.0, 2.0, 3.0};
    const auto found = Pyramid(column).bySteps(column->steps.front(), column->steps.back(), 3);
    REQUIRE(found.size() == 3);
    CHECK(found[0].max == 1.0);
    CHECK(found[1].max == 2.0);
    CHECK(found[2].max == 3.0);
}

TEST_CASE("an empty column gives no pixel columns by points", "[core][series]")
{
    const Pyramid pyramid(std::make_shared<const Column>());
    CHECK(pyramid.byPoints(0, 10, 5).empty());
    CHECK(pyramid.bySteps(0, 10, 5).size() == 5);
    CHECK(pyramid.marks(0, 10, 5).empty());
}
