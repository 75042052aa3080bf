// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/view_geometry.h"

#include "tests/support/catch.h"

#include <limits>

using namespace firstbad::core;

namespace {

ViewGeometry viewOf(
    std::int64_t offset, std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides)
{
    const auto view = ViewGeometry::of({0, offset, {}, std::move(sizes), std::move(strides)});
    REQUIRE(view);
    return *view;
}

}  // namespace

TEST_CASE("Views are told apart by the order and the holes of their elements", "[scan]")
{
    using Form = ViewGeometry::Form;
    CHECK(viewOf(3, {2, 4}, {4, 1}).form() == Form::Contiguous);
    CHECK(viewOf(3, {2, 4}, {4, 1}).begin() == 3);
    CHECK(viewOf(3, {2, 4}, {4, 1}).end() == 11);
    CHECK(viewOf(0, {4, 2}, {1, 4}).form() == Form::Permuted);
    CHECK(viewOf(0, {4, 2}, {4, 1}).form() == Form::Strided);
    CHECK(viewOf(0, {}, {}).form() == Form::Contiguous);
    CHECK(viewOf(0, {3, 0}, {1, 1}).form() == Form::Empty);
    CHECK(viewOf(0, {5, 3}, {0, 1}).form() == Form::Contiguous);
    CHECK(viewOf(0, {5, 3}, {0, 1}).repeats() == 5);
    CHECK(viewOf(0, {3, 5}, {1, 0}).form() == Form::Permuted);
    CHECK(viewOf(0, {1, 4}, {77, 1}).form() == Form::Contiguous);
}

TEST_CASE("A transposed view maps storage order to logical order", "[scan]")
{
    const ViewGeometry view = viewOf(10, {4, 3}, {1, 4});
    // Row i, column j lies at 10 + i + 4 j; its logical index is 3 i + j.
    for (std::uint64_t i = 0; i < 4; ++i) {
        for (std::uint64_t j = 0; j < 3; ++j)
            CHECK(view.logicalOf(10 + i + 4 * j) == 3 * i + j);
    }
}

TEST_CASE("A view that is absurd is no view", "[scan]")
{
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    CHECK_FALSE(ViewGeometry::of({0, -1, {}, {2}, {1}}));
    CHECK_FALSE(ViewGeometry::of({0, 0, {}, {-2}, {1}}));
    CHECK_FALSE(ViewGeometry::of({0, 0, {}, {2, 3}, {1}}));
    CHECK_FALSE(ViewGeometry::of({0, 0, {}, {kMost, kMost}, {1, 1}}));
    CHECK_FALSE(ViewGeometry::of({0, kMost, {}, {kMost}, {1}}));
}

TEST_CASE("A view that shows the same elements without end is known as folded", "[scan]")
{
    CHECK(viewOf(0, {1 << 20, 1 << 20}, {1, 1}).isFolded());
    CHECK_FALSE(viewOf(0, {100, 100}, {1, 1}).isFolded());
}

TEST_CASE("Flat indices and their parts agree", "[scan]")
{
    const std::vector<std::int64_t> shape{3, 4, 5};
    for (std::uint64_t flat = 0; flat < 60; ++flat)
        CHECK(flatIndex(unravelIndex(flat, shape), shape) == flat);
    CHECK(unravelIndex(59, shape) == std::vector<std::int64_t>{2, 3, 4});
}
