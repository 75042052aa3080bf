// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/run_grouping.h"
#include "tests/support/catch.h"
#include "tests/unit/import_join/sources.h"

#include <limits>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

double falling(std::int64_t step)
{
    return 3.0 - 0.001 * static_cast<double>(step);
}

double other(std::int64_t step)
{
    return 2.0 + 0.01 * static_cast<double>(step % 7);
}

double nothing(std::int64_t /*step*/)
{
    return std::numeric_limits<double>::quiet_NaN();
}

template <class Value>
SourceData curve(
    const char* name, std::int64_t from, std::int64_t to, Value value, double time = kNoTime)
{
    RecordSink sink;
    addRange(sink, name, from, to, value, time);
    return taken(sink);
}

}  // namespace

TEST_CASE("two views of one training are one run, whatever the names", "[core][import]")
{
    std::vector<SourceData> sources;
    sources.push_back(curve("loss", 1, 100, falling));
    sources.push_back(curve("train/loss", 10, 60, falling));
    const std::vector<SourcePlace> places{
        placed("/runs/a/train.log"), placed("/runs/a/tb/metrics.csv")};
    CHECK(curveRelation(sources[0], sources[1]) == CurveRelation::Same);
    CHECK(groupRuns(sources, places).size() == 1);
}

TEST_CASE("two curves over the same steps in one folder are two runs", "[core][import]")
{
    std::vector<SourceData> sources;
    sources.push_back(curve("loss", 1, 100, falling));
    sources.push_back(curve("loss", 1, 100, other));
    const std::vector<SourcePlace> places{placed("/runs/a/one.log"), placed("/runs/a/two.log")};
    const auto groups = groupRuns(sources, places);
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].id != groups[1].id);
}

TEST_CASE("a log that starts inside another one is its restart", "[core][import]")
{
    std::vector<SourceData> sources;
    sources.push_back(curve("loss", 1, 100, falling, 1000.0));
    sources.push_back(curve("loss", 51, 200, other, 5000.0));
    const std::vector<SourcePlace> places{placed("/runs/a/one.log"), placed("/runs/a/two.log")};
    CHECK(curveRelation(sources[0], sources[1]) == CurveRelation::Continues);
    CHECK(groupRuns(sources, places).size() == 1);
}

TEST_CASE("logs of folders with names of their own are runs of their own", "[core][import]")
{
    std::vector<SourceData> sources;
    sources.push_back(curve("loss", 1, 10, falling));
    sources.push_back(curve("loss", 500, 510, other));
    const std::vector<SourcePlace> places{
        placed("/runs/small/train.log"), placed("/runs/large/train.log")};
    const auto groups = groupRuns(sources, places);
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].id == "small");
    CHECK(groups[1].id == "large");
}

TEST_CASE("a bar that shows only NaN belongs to the metric file beside it", "[core][import]")
{
    std::vector<SourceData> sources;
    sources.push_back(curve("loss", 1, 100, nothing));
    sources.push_back(curve("loss", 1, 100, falling));
    const std::vector<SourcePlace> places{
        placed("/runs/train.log"), placed("/runs/version_3/metrics.csv")};
    CHECK(groupRuns(sources, places).size() == 1);
}

TEST_CASE("sources that name different runs stay apart", "[core][import]")
{
    std::vector<SourceData> sources;
    sources.push_back(curve("loss", 1, 100, falling));
    sources.push_back(curve("loss", 1, 100, falling));
    sources[0].runId = "a";
    sources[1].runId = "b";
    const std::vector<SourcePlace> places{placed("/runs/x"), placed("/runs/y")};
    CHECK(groupRuns(sources, places).size() == 2);
}

TEST_CASE("one process is told by the name of its event files", "[core][import]")
{
    CHECK(eventFileWriter("events.out.tfevents.1925197890.node-a07.4242.2") == "node-a07.4242");
    CHECK(eventFileWriter("train.log").empty());
}

TEST_CASE("a log in the folder that bears a run's id belongs to that run", "[core][import]")
{
    std::vector<SourceData> sources;
    sources.push_back(curve("loss", 1, 100, falling));
    sources.push_back(curve("train/loss", 1, 60, other));
    sources[1].runId = "mw8ngzqq";
    const std::vector<SourcePlace> places{placed("/runs/run-20310203-mw8ngzqq/files/output.log"),
        placed("/runs/run-20310203-mw8ngzqq/run-mw8ngzqq.wandb")};
    CHECK(curveRelation(sources[0], sources[1]) == CurveRelation::Different);
    CHECK(groupRuns(sources, places).size() == 1);
    const std::vector<SourcePlace> apart{placed("/runs/run-20310203-other123/files/output.log"),
        placed("/runs/run-20310203-mw8ngzqq/run-mw8ngzqq.wandb")};
    CHECK(groupRuns(sources, apart).size() == 2);
}
