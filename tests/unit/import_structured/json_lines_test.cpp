// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/import_structured/support.h"

using namespace firstbad::core;
using namespace firstbad::test;

TEST_CASE("Six ways to write a number that is none keep their kind", "[import][jsonl][C181]")
{
    const SourceData data
        = readLines("{\"step\": 1, \"loss\": NaN}\n{\"step\": 2, \"loss\": Infinity}\n"
                    "{\"step\": 3, \"loss\": -Infinity}\n{\"step\": 4, \"loss\": "
                    "\"nan\"}\n{\"step\": 5, \"loss\": null}\n{\"step\": 6, "
                    "\"loss\": 1e999}\n");
    const ColumnSummary loss = summarise(columnOf(data, "loss"));
    CHECK(loss.counts == KindCounts{0, 2, 2, 1});
    CHECK(loss.missing == 1);
    CHECK(loss.firstNonfiniteStep == 1);
    REQUIRE(data.events.size() == 1);
    CHECK_THAT(data.events[0].text, Catch::Matchers::ContainsSubstring("1e999"));
    CHECK(data.info.skipped.empty());
}

TEST_CASE("Nested objects and lists become joined names", "[import][jsonl]")
{
    const SourceData data
        = readLines("{\"step\": 7, \"train\": {\"loss\": 2.5, \"grad\": {\"norm\": "
                    "0.5}}, \"optim\": {\"lr\": [0.1, 0.2]}}\n");
    CHECK(columnOf(data, "train.loss").values == Values{2.5});
    CHECK(columnOf(data, "train.grad.norm").steps == Steps{7});
    CHECK(columnOf(data, "optim.lr[0]").values == Values{0.1});
    CHECK(columnOf(data, "optim.lr[1]").values == Values{0.2});
}

TEST_CASE("A key that is absent is not logged, which is not missing", "[import][jsonl]")
{
    const SourceData data
        = readLines("{\"step\": 1, \"loss\": 1.0, \"norm\": 2.0}\n{\"step\": 2, \"loss\": 1.5}\n"
                    "{\"step\": 3, \"loss\": null, \"norm\": 4.0}\n");
    CHECK(columnOf(data, "norm").steps == Steps{1, 3});
    CHECK(columnOf(data, "norm").missingSteps.empty());
    CHECK(columnOf(data, "loss").missingSteps == Steps{3});
}

TEST_CASE("W&B history: axes are no series, media objects are left alone", "[import][jsonl]")
{
    const SourceData data = readLines(
        "{\"_step\": 4, \"_runtime\": 0.25, \"_timestamp\": 1925734290.25, \"train/loss\": 3.5, "
        "\"samples\": {\"_type\": \"table-file\", \"nrows\": 3}}\n");
    REQUIRE(data.columns.size() == 1);
    const Column loss = columnOf(data, "train/loss");
    CHECK(loss.steps == Steps{4});
    CHECK(loss.timeAt(0) == 1925734290.25);
}

TEST_CASE("The step is the name that most records have", "[import][jsonl]")
{
    struct Case {
        const char* line;
        std::int64_t step;
    };
    const auto c = GENERATE(values<Case>({
        {R"({"global_step": 9, "loss": 1})", 9},
        {R"({"iter": 9, "loss": 1})", 9},
        {R"({"trainer/global_step": 9, "loss": 1})", 9},
        {R"({"epoch": 2, "update": 0.4, "num_updates": "9", "loss": "1"})", 9},
        {R"({"current_steps": 9, "total_steps": 100, "loss": 1})", 9},
        {R"({"Step": 9.0, "loss": 1})", 9},
        {R"({"data": {"step": 9}, "loss": 1})", 9},
        {R"({"loss": 1})", 1},
    }));
    CAPTURE(c.line);
    const SourceData data = readLines(c.line);
    CHECK(columnOf(data, "loss").steps == Steps{c.step});
    CHECK(columnOf(data, "loss").values == Values{1.0});
}

TEST_CASE("The user's names win over guesses", "[import][jsonl]")
{
    ImportOptions options;
    options.nameMap = {{"x", "step"}, {"badness", "loss"}};
    const SourceData data = readLines(R"({"step": 1, "x": 40, "badness": 2.5})", options);
    CHECK(columnOf(data, "badness").steps == Steps{40});
}

TEST_CASE("Clocks in seconds, milliseconds and words are times", "[import][jsonl]")
{
    const char* const line = GENERATE(R"({"step": 1, "timestamp": 1925734290, "loss": 1})",
        R"({"step": 1, "time": 1925734290000, "loss": 1})",
        R"({"step": 1, "datetime": "2031-01-09T14:11:30Z", "loss": 1})");
    CAPTURE(line);
    CHECK(columnOf(readLines(line), "loss").timeAt(0) == 1925734290.0);
}

TEST_CASE("A time that is no clock is a measurement", "[import][jsonl]")
{
    CHECK(columnOf(readLines(R"({"step": 1, "time": 0.25, "loss": 1})"), "time").values
        == Values{0.25});
}

TEST_CASE("Launcher events are events, their numbers no series", "[import][jsonl]")
{
    const SourceData data = readLines(
        "{\"name\": \"torchelastic.worker.status.STARTED\", \"source\": \"WORKER\", \"timestamp\": "
        "1925734311286, \"metadata\": {\"global_rank\": 0, \"total_run_time\": 21}}\n"
        "{\"ts\": 1925734311.5, \"rank\": 0, \"step\": 85, \"loss\": 2.25}\n"
        "{\"name\": \"torchelastic.worker.status.FAILED\", \"timestamp\": 1925734326329, "
        "\"metadata\": {\"raw_error\": \"loss is nan\"}}\n");
    REQUIRE(data.columns.size() == 1);
    CHECK(columnOf(data, "loss").steps == Steps{85});
    REQUIRE(data.events.size() == 2);
    CHECK(data.events[0].kind == EventKind::RunStart);
    CHECK(data.events[0].time == 1925734311.286);
    CHECK(data.events[1].kind == EventKind::Exception);
    CHECK_THAT(data.events[1].text, Catch::Matchers::ContainsSubstring("loss is nan"));
}

TEST_CASE("A save among the records is an event with its step and path", "[import][jsonl]")
{
    const SourceData data
        = readLines("{\"step\": 55, \"loss\": 2.0, \"event\": \"train\"}\n{\"event\": "
                    "\"checkpoint\", \"path\": \"ckpt/55\", \"step\": 56}\n");
    REQUIRE(data.events.size() == 1);
    CHECK(data.events[0].kind == EventKind::Save);
    CHECK(data.events[0].step == 56);
    CHECK(data.events[0].path == "ckpt/55");
    CHECK(columnOf(data, "loss").steps == Steps{55});
}

TEST_CASE("Ranks in one file get a series each", "[import][jsonl]")
{
    const SourceData data = readLines("{\"rank\": 0, \"step\": 1, \"loss\": 1}\n{\"rank\": 1, "
                                      "\"step\": 1, \"loss\": 2}\n{\"rank\": 0, \"step\": 2, "
                                      "\"loss\": 3}\n{\"rank\": 1, \"step\": 2, \"loss\": 4}\n");
    CHECK(columnOf(data, "loss [rank 0]").values == Values{1, 3});
    CHECK(columnOf(data, "loss [rank 1]").values == Values{2, 4});
    CHECK(data.breaks.empty());
}

TEST_CASE("Dirt between the records is named with its place", "[import][jsonl]")
{
    const SourceData data
        = readLines("\xEF\xBB\xBF{\"step\": 1, \"loss\": 3.0}\n\nUserWarning: loss: nan is "
                    "possible\n{\"step\": 2, \"loss\": 2.9}\n{\"step\": 3, \"loss\": 2.0503");
    CHECK(columnOf(data, "loss").steps == Steps{1, 2});
    REQUIRE(data.info.skipped.size() == 2);
    CHECK(data.info.skipped[0].code == "not-json");
    CHECK(data.info.skipped[0].line == 3);
    CHECK_FALSE(data.info.skipped[0].mayBeGrowing);
    CHECK(data.info.skipped[1].line == 5);
    CHECK(data.info.skipped[1].mayBeGrowing);
}

TEST_CASE(
    "Objects that span lines are read, torn ones do not eat their neighbours", "[import][jsonl]")
{
    const SourceData data = readLines("{\n  \"step\": 1,\n  \"loss\": 3.0\n}\n{\"step\": 2, \"lo\n"
                                      "{\"step\": 3, \"loss\": 2.5}\n");
    CHECK(columnOf(data, "loss").steps == Steps{1, 3});
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].line == 5);
}

TEST_CASE("Two objects on one line are two records", "[import][jsonl][C183]")
{
    const SourceData data = readLines("{\"step\": 1, \"loss\": 2.31}{\"step\": 2, \"loss\": "
                                      "2.29}\n{\"step\": 3, \"loss\": 2}x\n");
    CHECK(columnOf(data, "loss").values == Values{2.31, 2.29, 2.0});
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].code == "spliced-line");
}

TEST_CASE("One measurement a line is gathered by its key", "[import][jsonl]")
{
    const SourceData data = readLines(
        "{\"key\": \"loss\", \"value\": 2.5, \"step\": 1, \"timestamp\": 1925734290000}\n"
        "{\"key\": \"lr\", \"value\": 0.1, \"step\": 1}\n{\"key\": \"loss\", \"value\": \"NaN\", "
        "\"step\": 2}\n");
    CHECK(columnOf(data, "loss").steps == Steps{1, 2});
    CHECK(columnOf(data, "lr").values == Values{0.1});
}

TEST_CASE("Steps beyond float keep their identity", "[import][jsonl][C193]")
{
    const SourceData data = readLines("{\"step\": 16777216, \"time\": 1930000000, \"loss\": 2}\n"
                                      "{\"step\": 16777217, \"time\": 1930000063, \"loss\": 3}\n");
    CHECK(columnOf(data, "loss").steps == Steps{16777216, 16777217});
}
