// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/folder/shape.h"
#include "core/checkpoint/folder/step_name.h"

#include "tests/support/catch.h"

using namespace firstbad::core;

using Shape = std::vector<std::int64_t>;

TEST_CASE("chunks that tile a tensor cover it exactly once", "[checkpoint][shape]")
{
    const std::vector<ChunkBox> rows{{{0, 0}, {4, 5}}, {{4, 0}, {3, 5}}};
    const Coverage covered = coverage(Shape{7, 5}, rows);
    CHECK_FALSE(covered.outside);
    CHECK(covered.overlapping == 0);
    CHECK(covered.uncovered == 0);
}

TEST_CASE("a scalar is covered by its one chunk", "[checkpoint][shape]")
{
    CHECK(coverage(Shape{}, std::vector<ChunkBox>{{{}, {}}}).uncovered == 0);
    CHECK(coverage(Shape{}, std::vector<ChunkBox>{}).uncovered == 1);
    CHECK(coverage(Shape{}, std::vector<ChunkBox>{{{}, {}}, {{}, {}}}).overlapping == 1);
}

TEST_CASE("gaps, overlaps and chunks outside are told apart", "[checkpoint][shape]")
{
    const std::vector<ChunkBox> gap{{{0, 0}, {4, 5}}, {{5, 0}, {2, 5}}};
    CHECK(coverage(Shape{7, 5}, gap).uncovered == 5);
    const std::vector<ChunkBox> overlap{{{0, 0}, {4, 5}}, {{3, 0}, {4, 5}}};
    CHECK(coverage(Shape{7, 5}, overlap).overlapping == 5);
    CHECK(coverage(Shape{7, 5}, overlap).uncovered == 0);
    CHECK(coverage(Shape{7, 5}, std::vector<ChunkBox>{{{4, 0}, {4, 5}}}).outside);
    CHECK(coverage(Shape{7, 5}, std::vector<ChunkBox>{{{INT64_MAX, 0}, {1, 5}}}).outside);
    CHECK(coverage(Shape{7, 5}, std::vector<ChunkBox>{{{-1, 0}, {1, 5}}}).outside);
    CHECK(coverage(Shape{7, 5}, std::vector<ChunkBox>{{{0}, {7}}}).outside);
}

TEST_CASE("a column split of many chunks is found whole", "[checkpoint][shape]")
{
    std::vector<ChunkBox> columns;
    for (std::int64_t i = 0; i < 2000; ++i)
        columns.push_back({{0, i}, {3, 1}});
    const Coverage covered = coverage(Shape{3, 2000}, columns);
    CHECK(covered.overlapping == 0);
    CHECK(covered.uncovered == 0);
}

TEST_CASE("names of saves state their step", "[checkpoint][shape]")
{
    CHECK(stepOfName("iter_0000100") == 100);
    CHECK(stepOfName("global_step10") == 10);
    CHECK(stepOfName("checkpoint-62500") == 62500);
    CHECK(stepOfName("epoch=0-step=3.ckpt") == 3);
    CHECK(stepOfName("step-12") == 12);
    CHECK(stepOfName("release") == std::nullopt);
    CHECK(stepOfName("model") == std::nullopt);
}
