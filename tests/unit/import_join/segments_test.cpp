// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/segments.h"
#include "tests/support/catch.h"
#include "tests/unit/import_join/sources.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

double flat(std::int64_t /*step*/)
{
    return 2.0;
}

SourceData withSteps(const std::vector<std::int64_t>& steps)
{
    RecordSink sink;
    const auto loss = sink.column("loss");
    for (const std::int64_t step : steps) {
        sink.beginRecord(step, kNoTime, 0);
        sink.add(loss, 2.0);
    }
    return taken(sink);
}

}  // namespace

TEST_CASE("steps that go back and are repeated begin a new segment", "[core][import]")
{
    RecordSink sink;
    addRange(sink, "loss", 1, 150, flat);
    addRange(sink, "loss", 91, 330, flat);
    const auto segments = segmentsOf(taken(sink), 0);
    REQUIRE(segments.size() == 2);
    CHECK(segments[0].minStep == 1);
    CHECK(segments[0].maxStep == 150);
    CHECK(segments[1].minStep == 91);
    CHECK(segments[1].maxStep == 330);
    CHECK_THAT(segments[1].why, Catch::Matchers::ContainsSubstring("150 to 91"));
}

TEST_CASE("one record out of order is no restart", "[core][import]")
{
    CHECK(segmentsOf(withSteps({1, 2, 3, 5, 4, 6, 7, 8}), 0).size() == 1);
}

TEST_CASE("a reload by a single step is a restart", "[core][import]")
{
    CHECK(segmentsOf(withSteps({1, 2, 3, 4, 4, 5, 3, 4, 5, 6}), 0).size() == 2);
}

TEST_CASE(
    "a source whose steps jump back all the time is unsorted, not restarted", "[core][import]")
{
    std::vector<std::int64_t> shuffled;
    for (std::int64_t i = 0; i < 211; ++i)
        shuffled.push_back(i * 83 % 211);
    CHECK(segmentsOf(withSteps(shuffled), 0).size() == 1);
}

TEST_CASE("a certain break splits even where steps go on", "[core][import]")
{
    RecordSink sink;
    addRange(sink, "loss", 1, 10, flat);
    sink.addBreak("loaded checkpoint 10", 10, kNoTime);
    addRange(sink, "loss", 11, 20, flat);
    const auto segments = segmentsOf(taken(sink), 0);
    REQUIRE(segments.size() == 2);
    CHECK(segments[1].certain);
    CHECK(segments[1].why == "loaded checkpoint 10");
}

TEST_CASE(
    "a launch that failed before its first point is kept, a bare banner is not", "[core][import]")
{
    RecordSink sink;
    addRange(sink, "loss", 1, 10, flat);
    sink.addBreak("launch", std::nullopt, kNoTime);
    LogEvent crash;
    crash.kind = EventKind::Exception;
    sink.addEvent(crash);
    sink.addBreak("launch", std::nullopt, kNoTime);
    sink.addBreak("loaded checkpoint 5", 5, kNoTime);
    addRange(sink, "loss", 6, 20, flat);
    const auto segments = segmentsOf(taken(sink), 0);
    REQUIRE(segments.size() == 3);
    CHECK_FALSE(segments[1].hasPoints());
    CHECK(segments[2].minStep == 6);
}

TEST_CASE("a step back over a hole repeats nothing and is no restart", "[core][import]")
{
    CHECK(segmentsOf(withSteps({0, 0, -1, 5, 3, 4, 4, 2147483655}), 0).size() == 1);
}
