// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/tensor_stream.h"

#include "tests/support/catch.h"
#include "tests/support/checkpoint_builder.h"

#include <algorithm>

using namespace firstbad;
using namespace firstbad::core;
using firstbad::test::CheckpointBuilder;

namespace {

std::vector<double> valuesOf(const Checkpoint& checkpoint, const CheckpointTensor& tensor)
{
    JobContext job;
    std::vector<double> all;
    const auto done = visitValues(
        checkpoint, tensor, job, [&](std::uint64_t first, std::span<const double> values) {
            CHECK(first == all.size());
            all.insert(all.end(), values.begin(), values.end());
            return true;
        });
    REQUIRE(done);
    return all;
}

}  // namespace

TEST_CASE("A tensor in slabs of rows is read in logical order, whatever the order of its pieces")
{
    CheckpointBuilder builder;
    const auto lower = builder.addStorage({5, 6, 7, 8});
    const auto upper = builder.addStorage({1, 2, 3, 4});
    builder.addTensor(
        "w", {4, 2}, {{lower, 0, {2, 0}, {2, 2}, {2, 1}}, {upper, 0, {0, 0}, {2, 2}, {2, 1}}});
    const Checkpoint checkpoint = builder.write();
    CHECK(
        valuesOf(checkpoint, checkpoint.tensors[0]) == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("Two tensors are visited side by side, and compared byte by byte")
{
    CheckpointBuilder builder;
    std::vector<float> many(200'000, 2.0F);
    const auto first = builder.addStorage(many);
    many[150'000] = 3.0F;
    const auto second = builder.addStorage(many);
    builder.addPlain("a", first, {200'000});
    builder.addPlain("b", second, {200'000});
    const Checkpoint checkpoint = builder.write();
    const auto& a = checkpoint.tensors[0];
    const auto& b = checkpoint.tensors[1];
    JobContext job;
    std::vector<std::uint64_t> different;
    const auto done = visitPairs(checkpoint, a, checkpoint, b, job,
        [&](std::uint64_t at, std::span<const double> left, std::span<const double> right) {
            for (std::size_t i = 0; i < left.size(); ++i) {
                if (left[i] != right[i])
                    different.push_back(at + i);
            }
            return true;
        });
    REQUIRE(done);
    CHECK(different == std::vector<std::uint64_t>{150'000});
    CHECK(holdSameBytes(checkpoint, a, checkpoint, a, job).value());
    CHECK_FALSE(holdSameBytes(checkpoint, a, checkpoint, b, job).value());
}
