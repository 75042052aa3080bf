// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/stated_rule.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace firstbad::core;

namespace {

LogEvent event(EventKind kind, std::int64_t step, const char* text)
{
    LogEvent made;
    made.kind = kind;
    made.step = step;
    made.text = text;
    made.line = 183;
    return made;
}

Run chronicle(std::vector<LogEvent> events)
{
    Run run;
    run.id.value = "notes";
    run.attempts.resize(1);
    run.attempts[0].id.value = "1";
    run.events = std::move(events);
    run.eventAttempt.assign(run.events.size(), 0);
    return run;
}

std::vector<Finding> judged(const Run& run)
{
    const Settings settings;
    JobContext job;
    return evaluateStated(RunView(run, settings), settings, job);
}

}  // namespace

TEST_CASE("an incident that people wrote down is unknown, quoted, with their rollback", "[detect]")
{
    const auto findings = judged(chronicle({
        event(EventKind::StatedIncident, 33700, "33700 开始 loss 炸了"),
        event(EventKind::StatedIncident, 33700, "tensorboard: glm-130B-33700"),
        event(EventKind::Load, 33600, "从 33600 开始加载"),
    }));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == IncidentKind::LossSpike);
    CHECK(findings[0].verdict == IncidentClass::Unknown);
    CHECK(findings[0].onsetStep == 33700);
    CHECK(findings[0].restoreBeforeStep == 33600);
    CHECK(findings[0].evidence.at(0).line == 183U);
    CHECK_FALSE(findings[0].unknown.empty());
}

TEST_CASE("a broken node is no incident of the numbers", "[detect]")
{
    CHECK(judged(chronicle({event(EventKind::StatedIncident, 7300, "坏掉 n30115 节点")})).empty());
}

TEST_CASE("where a curve shows the step, the sentence is silent", "[detect]")
{
    Run run = chronicle({event(EventKind::StatedIncident, 100, "loss exploded at 100")});
    ColumnBuilder points;
    for (std::int64_t step = 1; step <= 200; ++step)
        points.add(step, 2.0, kNoTime, 0);
    Series loss;
    loss.name = "loss";
    loss.quantity = Quantity::Loss;
    loss.columns.push_back(std::make_shared<const Column>(points.takeAll()));
    run.series.push_back(std::move(loss));
    CHECK(judged(run).empty());
}

namespace {

LogEvent at(double time, LogEvent event)
{
    event.time = time;
    return event;
}

LogEvent withoutStep(EventKind kind, const char* text)
{
    LogEvent made;
    made.kind = kind;
    made.text = text;
    return made;
}

}  // namespace

TEST_CASE("a step without words takes them from its heading", "[detect]")
{
    const auto findings = judged(chronicle({
        at(1000.0, withoutStep(EventKind::StatedIncident, "2031-02-03 09:10 loss 爆炸")),
        at(1000.0, event(EventKind::StatedIncident, 40800, "记录：glm-130B-40800")),
        at(1000.0, event(EventKind::Load, 40700, "从 40700 开始重新加载")),
    }));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == IncidentKind::LossSpike);
    CHECK(findings[0].onsetStep == 40800);
    CHECK(findings[0].restoreBeforeStep == 40700);
    CHECK(findings[0].evidence.size() == 3);
}

TEST_CASE("an incident without a step came after the step that was loaded again", "[detect]")
{
    const auto findings = judged(chronicle({
        at(1000.0, withoutStep(EventKind::StatedIncident, "梯度 spike")),
        at(1000.0, event(EventKind::Load, 42400, "从 42400 开始重新加载")),
        at(2000.0, withoutStep(EventKind::StatedIncident, "loss 爆炸")),  // nothing tells where
    }));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == IncidentKind::GradSpike);
    CHECK(findings[0].onsetStep == 42400);
    CHECK(findings[0].title.find("after") != std::string::npos);
}
