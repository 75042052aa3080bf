// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that a norm made zeros of: rightly, when it centres equal elements, or because it lost them.
#include "replay/probes/trace.h"
#include "tests/support/catch.h"

using namespace firstbad;
using replay::collapsedRow;

TEST_CASE("a row that is not zero and leaves a norm as zeros is collapsed", "[replay]")
{
    const auto input = at::tensor({0.0F, 0.0F, 1.0F, 2.0F, 256.0F, 1.0F}).reshape({3, 2});
    const auto output = at::tensor({0.0F, -0.0F, -1.0F, 1.0F, 0.0F, 0.0F}).reshape({3, 2});
    for (const auto type : {at::kHalf, at::kFloat, at::kDouble}) {
        CHECK(collapsedRow(input.to(type), output.to(type), true) == 2);
        CHECK(collapsedRow(input.to(type), output.to(type), false) == 2);
    }
}

TEST_CASE("only a norm that centres may make zeros of equal elements", "[replay]")
{
    const auto input = at::tensor({3.0F, 3.0F, 3.0F, 4.0F}).reshape({2, 2});
    const auto output = at::tensor({0.0F, 0.0F, -1.0F, 1.0F}).reshape({2, 2});
    CHECK(collapsedRow(input, output, true) == std::nullopt);
    CHECK(collapsedRow(input, output, false) == 0);
}
