// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/attempts.h"
#include "tests/support/catch.h"
#include "tests/unit/import_join/sources.h"

#include <limits>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

double first(std::int64_t step)
{
    return 3.0 - 0.001 * static_cast<double>(step);
}

double second(std::int64_t step)
{
    return step == 120 ? std::numeric_limits<double>::quiet_NaN()
                       : 2.5 + 0.01 * static_cast<double>(step % 5);
}

}  // namespace

TEST_CASE("a restart keeps every point of both attempts and links them", "[core][import]")
{
    RecordSink sink;
    addRange(sink, "loss", 1, 150, first);
    LogEvent load;
    load.kind = EventKind::Load;
    load.step = 90;
    load.path = "ckpt/90";
    sink.addBreak("loaded checkpoint 90", 90, kNoTime);
    sink.addEvent(load);
    addRange(sink, "loss", 91, 330, second);
    std::vector<SourceData> sources;
    sources.push_back(taken(sink));
    const auto runs = buildRuns(sources, {placed("/runs/train.log", "/runs/train.log")});

    REQUIRE(runs.size() == 1);
    const Run& run = *runs.front();
    REQUIRE(run.attempts.size() == 2);
    CHECK(run.attempts[0].givenUpFrom == 91);
    CHECK(run.attempts[1].parent == 0U);
    REQUIRE(run.attempts[1].resumedFrom);
    CHECK(run.attempts[1].resumedFrom->step == 90);
    CHECK(run.attempts[1].resumedFrom->path == "ckpt/90");
    const Series* loss = run.find("loss");
    REQUIRE(loss != nullptr);
    CHECK(loss->points() == 150 + 240);
    CHECK(summarise(*loss->column(1)).firstNonfiniteStep == 120);
    CHECK(run.eventAttempt.at(0) == 1);
}

TEST_CASE("rotated logs are one stream and one attempt", "[core][import]")
{
    std::vector<SourceData> sources;
    for (const auto& [from, to, order] :
        {std::tuple{201, 300, 3.0}, std::tuple{1, 100, 1.0}, std::tuple{101, 200, 2.0}}) {
        RecordSink sink;
        addRange(sink, "loss", from, to, first);
        sources.push_back(taken(sink));
        sources.back().stream = "train.log";
        sources.back().orderHint = order;
    }
    const auto runs = buildRuns(sources,
        {placed("/runs/train.log"), placed("/runs/train.log.2"), placed("/runs/train.log.1")});
    REQUIRE(runs.size() == 1);
    REQUIRE(runs[0]->attempts.size() == 1);
    const Column* loss = runs[0]->find("loss")->column(0);
    REQUIRE(loss->size() == 300);
    CHECK(loss->steps.front() == 1);
    CHECK(loss->steps.back() == 300);
    CHECK(loss->sourceAt(0) == 1U);
    CHECK(loss->sourceAt(299) == 0U);
}

TEST_CASE("a file that repeats the beginning of another is counted once", "[core][import]")
{
    std::vector<SourceData> sources;
    for (const std::int64_t last : {50, 100}) {
        RecordSink sink;
        addRange(sink, "loss", 1, last, first);
        sources.push_back(taken(sink, "hf-trainer-state"));
    }
    const auto runs = buildRuns(sources,
        {placed("/runs/checkpoint-50/trainer_state.json"),
            placed("/runs/checkpoint-100/trainer_state.json")});
    REQUIRE(runs.size() == 1);
    CHECK(runs[0]->series.size() == 1);
    CHECK(runs[0]->find("loss")->points() == 100);
    CHECK_THAT(sources[0].info.message, Catch::Matchers::ContainsSubstring("counted once"));
}

TEST_CASE("two writers at the same time are two attempts but no restart", "[core][import]")
{
    std::vector<SourceData> sources;
    for (int i = 0; i < 2; ++i) {
        RecordSink sink;
        addRange(sink, "loss", 1, 120, i == 0 ? first : second, 1000.0 + i);
        sources.push_back(taken(sink, "tfevents"));
        sources.back().stream = "folder";
        sources.back().runId = "folder";
        sources.back().orderHint = i;
    }
    const auto runs = buildRuns(sources,
        {placed("/runs/events.out.tfevents.1.a.500.0"),
            placed("/runs/events.out.tfevents.2.a.501.0")});
    REQUIRE(runs.size() == 1);
    REQUIRE(runs[0]->attempts.size() == 2);
    CHECK(runs[0]->attempts[1].isConcurrent);
    CHECK_FALSE(runs[0]->attempts[1].parent);
    CHECK_FALSE(runs[0]->attempts[0].givenUpFrom);
}

TEST_CASE("curves of one name from different files of one attempt are kept apart", "[core][import]")
{
    std::vector<SourceData> sources;
    RecordSink bar;
    addRange(
        bar, "loss", 1, 100, [](std::int64_t) { return std::numeric_limits<double>::quiet_NaN(); });
    sources.push_back(taken(bar, "tqdm"));
    RecordSink csv;
    addRange(csv, "loss", 1, 100, first);
    sources.push_back(taken(csv, "csv"));
    const auto runs = buildRuns(
        sources, {placed("/runs/logs/train.log"), placed("/runs/version_3/metrics.csv")});
    REQUIRE(runs.size() == 1);
    REQUIRE(runs[0]->find("loss") != nullptr);
    CHECK(summarise(*runs[0]->find("loss")->column(0)).counts.nan == 0);
    REQUIRE(runs[0]->find("loss [logs]") != nullptr);
    CHECK(summarise(*runs[0]->find("loss [logs]")->column(0)).counts.nan == 100);
}

TEST_CASE("event files that share no tag lie beside each other", "[core][import]")
{
    std::vector<SourceData> sources;
    for (const char* tag : {"loss", "accuracy"}) {
        RecordSink sink;
        addRange(sink, tag, 1, 2, first, 100.0);
        addRange(sink, tag, 1, 3, first, 1000.0);
        sources.push_back(taken(sink, "tfevents"));
        sources.back().stream = sources.back().runId = "folder";
        sources.back().orderHint = static_cast<double>(sources.size());
    }
    const auto runs = buildRuns(sources,
        {placed("/runs/events.out.tfevents.1.a.21.0"),
            placed("/runs/events.out.tfevents.2.a.22.0")});
    REQUIRE(runs.size() == 1);
    CHECK(runs[0]->attempts.size() == 2);
    CHECK(runs[0]->find("loss")->points() == 5);
    CHECK(runs[0]->find("accuracy")->points() == 5);
}
