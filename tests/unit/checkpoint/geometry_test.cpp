// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/geometry.h"
#include "tests/support/catch.h"

#include <limits>

using namespace firstbad::core;

using Sizes = std::vector<std::int64_t>;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST_CASE("elements are counted without overflow", "[geometry]")
{
    CHECK(elementCount(Sizes{}) == 1);
    CHECK(elementCount(Sizes{3, 4}) == 12);
    CHECK(elementCount(Sizes{0, kMost, kMost}) == 0);
    CHECK(elementCount(Sizes{kMost}) == static_cast<std::uint64_t>(kMost));
    CHECK_FALSE(elementCount(Sizes{kMost, 2}));
    CHECK_FALSE(elementCount(Sizes{-1}));
}

TEST_CASE("a view ends one past the last element that it touches", "[geometry]")
{
    CHECK(viewEnd(5, Sizes{}, Sizes{}) == 6);
    CHECK(viewEnd(2, Sizes{3, 4}, Sizes{10, 2}) == 2 + 20 + 6 + 1);
    CHECK(viewEnd(7, Sizes{0, 4}, Sizes{10, 2}) == 0);
    CHECK(viewEnd(1, Sizes{1000}, Sizes{0}) == 2);
    CHECK_FALSE(viewEnd(kMost, Sizes{2}, Sizes{1}));
    CHECK_FALSE(viewEnd(0, Sizes{kMost}, Sizes{kMost}));
    CHECK_FALSE(viewEnd(0, Sizes{2}, Sizes{}));
}

TEST_CASE("dense strides follow the order of the array", "[geometry]")
{
    CHECK(denseStrides(Sizes{2, 3, 4}) == Sizes{12, 4, 1});
    CHECK(denseStrides(Sizes{2, 3, 4}, true) == Sizes{1, 2, 6});
    CHECK(denseStrides(Sizes{}).empty());
    CHECK(denseStrides(Sizes{0, 3}) == Sizes{3, 1});
}

TEST_CASE("more dimensions than PyTorch has are refused", "[geometry]")
{
    const Sizes ones(65, 1);
    const auto problem = checkView(0, ones, ones, 10);
    REQUIRE(problem);
    CHECK(problem->error == "size-overflow");
}
