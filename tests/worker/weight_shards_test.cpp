// SPDX-License-Identifier: GPL-3.0-or-later
// What tensor-parallel ranks hold of one parameter, merged by hand-made values.
#include "replay/weights/shards.h"
#include "tests/support/catch.h"

#include <limits>

namespace {

using namespace firstbad;
using Catch::Matchers::ContainsSubstring;
using replay::ParamSpec;
using replay::ShardRule;

/// Row-major values of a matrix with two columns, or of a vector.
at::Tensor matrix(std::vector<float> values)
{
    return at::tensor(values).reshape({-1, 2});
}

ParamSpec spec(ShardRule rule, std::vector<std::int64_t> shape)
{
    return {"layers.0.w", "w", "op", std::move(shape), rule};
}

std::vector<float> valuesOf(const at::Tensor& tensor)
{
    const auto flat = tensor.contiguous();
    const auto* begin = flat.const_data_ptr<float>();
    return {begin, begin + flat.numel()};
}

}  // namespace

TEST_CASE("rows of a parameter that is cut by rows follow in rank order", "[replay][weights]")
{
    const auto whole = replay::mergeShards(
        spec(ShardRule::Rows, {4, 2}), {matrix({1, 2, 3, 4}), matrix({5, 6, 7, 8})});
    REQUIRE(whole);
    CHECK(whole->sizes() == at::IntArrayRef({4, 2}));
    CHECK(valuesOf(*whole) == std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE(
    "columns of a parameter that is cut by columns stand beside each other", "[replay][weights]")
{
    const auto whole = replay::mergeShards(
        spec(ShardRule::Columns, {2, 4}), {matrix({1, 2, 5, 6}), matrix({3, 4, 7, 8})});
    REQUIRE(whole);
    CHECK(whole->sizes() == at::IntArrayRef({2, 4}));
    CHECK(valuesOf(*whole) == std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("gated rows are all ranks' gates, then all ranks' other halves", "[replay][weights]")
{
    const auto weight = replay::mergeShards(
        spec(ShardRule::GatedRows, {4, 2}), {matrix({1, 2, 5, 6}), matrix({3, 4, 7, 8})});
    REQUIRE(weight);
    CHECK(valuesOf(*weight) == std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
    const auto bias = replay::mergeShards(spec(ShardRule::GatedRows, {8}),
        {at::tensor({1.0F, 2.0F, 5.0F, 6.0F}), at::tensor({3.0F, 4.0F, 7.0F, 8.0F})});
    REQUIRE(bias);
    CHECK(valuesOf(*bias) == std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("a parameter that every rank holds whole is taken once", "[replay][weights]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto norm = spec(ShardRule::Replicated, {2});
    const auto same = replay::mergeShards(norm, {at::tensor({1.0F, nan}), at::tensor({1.0F, nan})});
    REQUIRE(same);
    CHECK(same->sizes() == at::IntArrayRef({2}));
    const auto other
        = replay::mergeShards(norm, {at::tensor({1.0F, 2.0F}), at::tensor({1.0F, 3.0F})});
    REQUIRE(!other);
    CHECK_THAT(other.error().message, ContainsSubstring("layers.0.w"));
    CHECK_THAT(other.error().message, ContainsSubstring("rank 1"));
}

TEST_CASE("a rank's part has the shape that its rule gives it", "[replay][weights]")
{
    using Shape = std::vector<std::int64_t>;
    CHECK(replay::shardShape(spec(ShardRule::Rows, {96, 32}), 2) == Shape{48, 32});
    CHECK(replay::shardShape(spec(ShardRule::Columns, {32, 40}), 4) == Shape{32, 10});
    CHECK(replay::shardShape(spec(ShardRule::GatedRows, {80}), 8) == Shape{10});
    CHECK(replay::shardShape(spec(ShardRule::Replicated, {32}), 2) == Shape{32});
    CHECK(replay::shardShape(spec(ShardRule::Rows, {96, 32}), 1) == Shape{96, 32});
}

TEST_CASE("no part fits a dimension that the ranks cannot share", "[replay][weights]")
{
    using Shape = std::vector<std::int64_t>;
    CHECK(replay::shardShape(spec(ShardRule::Rows, {7, 2}), 2) == Shape{0, 2});
    CHECK(replay::shardShape(spec(ShardRule::GatedRows, {6}), 2) == Shape{0});
}
