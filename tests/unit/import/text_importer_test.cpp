// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/import/text_support.h"

namespace firstbad::test {

TEST_CASE("Lines with a step and numbers become series", "[import][text]")
{
    const auto data = readLog("hello\nstep=1 loss=3.5 lr=0.1\nstep=2 loss=nan lr=0.2\n");
    CHECK(data.info.format == "text");
    CHECK(data.info.records == 2);
    CHECK(stepsOf(data, "loss") == std::vector<std::int64_t>{1, 2});
    CHECK(valuesOf(data, "lr") == std::vector<double>{0.1, 0.2});
    REQUIRE(valuesOf(data, "loss").size() == 2);
    CHECK(core::classify(valuesOf(data, "loss")[1]) == core::ValueKind::NotANumber);
}

TEST_CASE("Ranks that print their own numbers get a series each", "[import][text]")
{
    const auto data = readLog("[rank0]: step 1 loss 3.5\n[rank1]: step 1 loss 3.25\n"
                              "[rank1]: step 2 loss 3.0\n[rank0]: step 2 loss 2.5\n");
    CHECK(valuesOf(data, "loss [rank 0]") == std::vector<double>{3.5, 2.5});
    CHECK(valuesOf(data, "loss [rank 1]") == std::vector<double>{3.25, 3.0});
    CHECK(data.breaks.empty());
}

TEST_CASE("A line that every rank prints counts once", "[import][text]")
{
    const auto data = readLog("[rank0]: step 1 loss 3.5\n[rank1]: step 1 loss 3.5\n"
                              "[rank0]: step 2 loss 3.0\n[rank1]: step 2 loss 3.0\n");
    CHECK(valuesOf(data, "loss") == std::vector<double>{3.5, 3.0});
}

TEST_CASE("A number cut by the end of the file is no point", "[import][text]")
{
    const auto data = readLog("step 1 loss 3.5123 norm 0.5\nstep 2 loss 3.4567 norm 0.6\n"
                              "step 3 loss 3.3");
    CHECK(valuesOf(data, "loss") == std::vector<double>{3.5123, 3.4567});
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].code == "torn-line");
    CHECK(data.info.skipped[0].line == 3);
    CHECK(data.info.skipped[0].mayBeGrowing);
}

TEST_CASE("Text without a record is not recognised and says so", "[import][text]")
{
    const auto data = readLog("The quick brown fox\njumps over 13 lazy dogs.\n");
    CHECK(data.info.state == core::SourceState::NotRecognised);
    CHECK_FALSE(data.info.message.empty());
}

}  // namespace firstbad::test
