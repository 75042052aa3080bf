// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/chronicle_date.h"
#include "core/import/dialects/chronicle_dialect.h"
#include "core/import/dialects/chronicle_words.h"
#include "tests/support/catch.h"
#include "tests/unit/dialects/read_lines.h"

#include <algorithm>

using namespace firstbad::core;
using firstbad::core::test::readLines;

namespace {

const Statement* statementOf(const std::vector<Statement>& statements, EventKind kind)
{
    const auto found = std::find_if(statements.begin(), statements.end(),
        [&](const Statement& statement) { return statement.kind == kind; });
    return found != statements.end() ? &*found : nullptr;
}

}  // namespace

TEST_CASE("Dates are found as people write them", "[dialects]")
{
    struct Case {
        const char* line;
        double seconds;
        bool hasClock;
    };
    // seconds: date -u -d "2031-02-03 ..." +%s
    const auto c = GENERATE(values<Case>({
        {"### 2031-02-03", 1927843200, false},
        {"2031-02-03 04:05 loss", 1927857900, true},
        {"2031.02.03 04:05 换节点", 1927857900, true},
        {"glm-130B-2031.02.03-04:05:06", 1927857906, true},
        {"## Experiment - February 3, 2031", 1927843200, false},
        {"## spikes on resume (2031-02-03)", 1927843200, false},
    }));
    CAPTURE(c.line);
    const auto date = findWrittenDate(c.line);
    REQUIRE(date);
    CHECK(date->seconds == c.seconds);
    CHECK(date->hasClock == c.hasClock);
    const auto* const none = GENERATE(as<const char*>{}, "2022-04-XX repeated crashes",
        "2031-13-40 04:05", "version 1.2.3", "May be 3, or 4", "");
    CAPTURE(none);
    CHECK_FALSE(findWrittenDate(none));
}

TEST_CASE("Sentences state incidents, rollbacks and changes with their steps", "[dialects]")
{
    struct Case {
        const char* sentence;
        EventKind kind;
        std::optional<std::int64_t> step;
    };
    const auto c = GENERATE(values<Case>({
        {"33700 开始 loss 炸了，loss-scale 在 33710 左右突然下跌", EventKind::StatedIncident,
            33700},
        {"35250 loss 又炸了，和 33700 的表现几乎一样", EventKind::StatedIncident, 35250},
        {"tensorboard 记录：glm-130B-40800", EventKind::StatedIncident, 40800},
        {"坏掉 n30115 节点，从 7300 step 开始训练", EventKind::StatedIncident, std::nullopt},
        {"坏掉 n30115 节点，从 7300 step 开始训练", EventKind::Load, 7300},
        {"从 33600 开始加载，shrink embedding gradient 1 → 0.5", EventKind::Load, 33600},
        {"从 33600 开始加载，shrink embedding gradient 1 → 0.5", EventKind::Intervention, 33600},
        {"加入 --gradient-steps 6000 500 从 6100 step 开始训练", EventKind::Load, 6100},
        {"更改参数配置。从 global_step23200 开始", EventKind::Load, 23200},
        {"25800steps 开始，加入 multitask loss 打印", EventKind::Load, 25800},
        {"23100 开始恢复", EventKind::Load, 23100},
        {"48100 从原先配置开始训练", EventKind::Load, 48100},
        {"集群从 9 点到 5 点升级驱动，从 开始训练", EventKind::Load, std::nullopt},
        {"--skip-train-iteration-range 40701-40900", EventKind::DataChange, std::nullopt},
        {"从 40700 开始重新加载并跳过 40701-40900 数据", EventKind::DataChange, 40700},
        {"将 min-lr 从 8e-6 调整到 4e-6", EventKind::Intervention, std::nullopt},
        {"2031-02-03 更换中英多任务数据（废除）", EventKind::GivenUp, std::nullopt},
        {"We decided to rollback to 15611 and restart", EventKind::Load, 15611},
        {"Restarted after a rollback to 14500 and reduced the LR by 25%", EventKind::Load, 14500},
        {"Rolling back to 34000 and lowering the LR", EventKind::Load, 34000},
        {"Restarted after a rollback to 14500 (before the large spike)", EventKind::StatedIncident,
            std::nullopt},
        {"more frequent saving of 200 iterations if the hardware failures continue",
            EventKind::StatedIncident, std::nullopt},
        {"eval started at the end of iteration 45000 and got stuck", EventKind::StatedIncident,
            45000},
        {"At iteration 21680 switched to a different version", EventKind::Intervention, 21680},
        {"Saved checkpoint iteration before the switch: 25956", EventKind::Save, 25956},
        {"large spike that recovered", EventKind::StatedIncident, std::nullopt},
    }));
    CAPTURE(c.sentence);
    const auto statements = statementsOf(c.sentence);
    const Statement* const found = statementOf(statements, c.kind);
    REQUIRE(found != nullptr);
    CHECK(found->step == c.step);
}

TEST_CASE("Plain prose states nothing", "[dialects]")
{
    const auto* const sentence = GENERATE(as<const char*>{}, "", "从 9 点到 5 点开会",
        "PP = 8, MP = 4", "96 nodes, BSZ=176 * 24=4224", "Image.png",
        "We still don't know why it was doing buffered output.");
    CAPTURE(sentence);
    CHECK(statementsOf(sentence).empty());
}

TEST_CASE("A chronicle gives incident, launch, rollback and change in that order", "[dialects]")
{
    const auto heading = GENERATE(
        as<std::string_view>{}, "### 2031-02-03 04:05 loss 爆炸", "2031-02-03 04:05 loss 爆炸");
    CAPTURE(heading);
    const auto read = readLines(chronicleDialect(),
        {"从 100 开始加载: before any heading this is no chronicle", heading,
            "33700 开始 loss 炸了", "  * 从 33600 开始加载，shrink embedding gradient 1 → 0.5",
            "  • run-2031.02.03-05:06:07", "### 2031-02-04 换纯文本（废除）"});

    std::vector<EventKind> kinds;
    for (const LogEvent& event : read.data.events)
        kinds.push_back(event.kind);
    CHECK(kinds
        == std::vector<EventKind>{EventKind::StatedIncident, EventKind::StatedIncident,
            EventKind::RunStart, EventKind::Load, EventKind::Intervention, EventKind::DataChange,
            EventKind::GivenUp, EventKind::Note});
    CHECK(read.data.events[1].step == 33700);
    CHECK(read.data.events[1].time == 1927829100);  // date -u -d "2031-02-02 20:05" +%s
    CHECK(read.data.events[1].line == 3);
    CHECK(read.data.events[2].text == "run-2031.02.03-05:06:07");
    CHECK(read.data.events[2].time == 1927861567);
    REQUIRE(read.data.breaks.size() == 1);
    CHECK(read.data.breaks[0].events == 2);
    CHECK(read.verdicts[0] == LineVerdict::NotMine);
}

TEST_CASE("Logs, programs and code blocks are not read as a chronicle", "[dialects]")
{
    const auto read = readLines(chronicleNotes(),
        {"# 2025-01-16 a comment of a program: fixed the nan spike",
            "2031-02-03 04:05:06 iteration 5 crashed", "loss spike at iteration 500",
            "## 2031-02-03 hang", "```", "rollback to 500", "```", "rollback to 600"});
    REQUIRE(read.events(EventKind::Load).size() == 1);
    CHECK(read.events(EventKind::Load)[0]->step == 600);
    CHECK(read.events(EventKind::StatedIncident).size() == 1);
}

TEST_CASE("Chinese headings are in China's time, names of launches in UTC", "[dialects]")
{
    const auto read = readLines(
        chronicleDialect(), {"## 2031-02-03 12:05 loss 爆炸", "glm-130B-2031.02.03-04:05:06"});
    REQUIRE(read.events(EventKind::StatedIncident).size() == 1);
    CHECK(read.events(EventKind::StatedIncident)[0]->time == 1927857900.0);  // 04:05 UTC
    REQUIRE(read.events(EventKind::RunStart).size() == 1);
    CHECK(read.events(EventKind::RunStart)[0]->time == 1927857906.0);
    const auto english = readLines(chronicleDialect(), {"## 2031-02-03 04:05 loss exploded"});
    CHECK(english.events(EventKind::StatedIncident).at(0)->time == 1927857900.0);
    CHECK(english.events(EventKind::Note).empty());
}
