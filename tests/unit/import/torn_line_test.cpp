// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/text/torn_line.h"

#include "tests/support/catch.h"

namespace firstbad::core {

TEST_CASE("A last line without newline is judged by the records before it", "[import][torn]")
{
    struct Case {
        const char* last;
        LastLine verdict;
    };
    const auto c = GENERATE(values<Case>({
        {"iter 100: loss 2.2518, time 250.85ms, mfu 12.30%", LastLine::Whole},
        {"iter 100: loss 2.25", LastLine::Torn},
        {"iter 100: loss", LastLine::Torn},
        {"iter 1", LastLine::Torn},
        {"saving checkpoint to out", LastLine::Other},
    }));
    CAPTURE(c.last);
    RecentLines recent;
    recent.add("step 0: train loss 3.6737, val loss 3.7105");
    recent.add("iter 99: loss 2.2178, time 252.27ms, mfu 12.30%");
    CHECK(recent.judgeLast(c.last, false) == c.verdict);
}

TEST_CASE("A number with fewer digits than before is torn", "[import][torn]")
{
    RecentLines recent;
    recent.add("step 1 loss 3.6737");
    CHECK(recent.judgeLast("step 2 loss 3.61", true) == LastLine::Torn);
    CHECK(recent.judgeLast("step 2 loss 3.6123", true) == LastLine::Whole);
    CHECK(recent.judgeLast("step 2 loss 3.6123 norm 2.0", true) == LastLine::Torn);
}

}  // namespace firstbad::core
