// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/timeline/frame.h"

#include "core/present/timeline/cursor.h"
#include "tests/support/catch.h"
#include "tests/support/run_builder.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace {

using namespace firstbad;
using namespace firstbad::core;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Assessment assessmentOf(const RunPtr& run, std::vector<Incident> incidents = {})
{
    auto dataset = std::make_shared<Dataset>();
    dataset->runs = {run};
    Assessment assessment;
    assessment.dataset = dataset;
    Judgement judgement;
    judgement.incidents = std::move(incidents);
    assessment.runs = {{run, judgement}};
    return assessment;
}

Timeline timelineOf(const RunPtr& run)
{
    JobContext job;
    auto made = makeTimeline(assessmentOf(run), 0, {}, job);
    REQUIRE(made);
    return *made;
}

TimelineFrame frameOf(const Timeline& timeline, double from, double to, std::size_t pixels)
{
    JobContext job;
    TimelineView view;
    view.from = from;
    view.to = to;
    view.pixels = pixels;
    auto drawn = drawTimeline(timeline, AxisMap(), view, job);
    REQUIRE(drawn);
    return *drawn;
}

std::uint64_t marked(const PanelFrame& panel, RailMark::Kind kind)
{
    std::uint64_t count = 0;
    for (const RailMark& mark : panel.marks)
        count += mark.kind == kind ? mark.count : 0;
    return count;
}

std::vector<double> ramp(std::size_t count)
{
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

}  // namespace

TEST_CASE("few points are drawn as themselves, and a NaN is a gap with its mark", "[present]")
{
    test::RunBuilder builder;
    builder.series("loss", {10, {2.0, 3.0, kNan, 4.0, kInf, -kInf, 5.0}}, {17});
    const Timeline timeline = timelineOf(std::make_shared<const Run>(builder.take()));
    const TimelineFrame frame = frameOf(timeline, 10, 17, 500);
    REQUIRE(frame.panels.size() == 1);
    const PanelFrame& panel = frame.panels[0];
    CHECK(frame.isExact);
    REQUIRE(panel.lines.size() == 3);
    CHECK(panel.lines[0].points.size() == 2);
    CHECK(panel.lines[0].points[1].x == 11.0);
    CHECK(panel.lines[0].points[1].value == 3.0);
    CHECK(panel.lines[1].points.size() == 1);
    CHECK(panel.lines[2].points.size() == 1);
    CHECK(marked(panel, RailMark::Kind::NotANumber) == 1);
    CHECK(marked(panel, RailMark::Kind::PlusInfinity) == 1);
    CHECK(marked(panel, RailMark::Kind::MinusInfinity) == 1);
    CHECK(marked(panel, RailMark::Kind::Missing) == 1);
    REQUIRE(panel.full);
    CHECK(panel.full->low == 2.0);
    CHECK(panel.full->high == 5.0);
}

TEST_CASE("at any zoom there are at most two points a pixel, true extremes, every bad sample",
    "[present]")
{
    constexpr std::size_t kCount = 100'000;
    auto values = ramp(kCount);
    values[31'234] = 1e9;
    values[77'777] = -1e9;
    values[50'000] = kNan;
    values[50'001] = kInf;
    test::RunBuilder builder;
    builder.series("loss", {0, values});
    const Timeline timeline = timelineOf(std::make_shared<const Run>(builder.take()));
    const std::size_t pixels = GENERATE(std::size_t{1}, std::size_t{7}, std::size_t{800});
    const TimelineFrame frame = frameOf(timeline, 0, kCount - 1, pixels);
    const PanelFrame& panel = frame.panels[0];
    std::size_t points = 0;
    for (const PlotLine& line : panel.lines)
        points += line.points.size();
    CHECK(points <= 2 * pixels);
    CHECK_FALSE(frame.isExact);
    REQUIRE(panel.full);
    CHECK(panel.full->high == 1e9);
    CHECK(panel.full->low == -1e9);
    CHECK(marked(panel, RailMark::Kind::NotANumber) == 1);
    CHECK(marked(panel, RailMark::Kind::PlusInfinity) == 1);
}

TEST_CASE("the robust range leaves out a lone spike but not the focused incident's", "[present]")
{
    std::vector<double> values(200);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = 2.0 + 0.01 * std::sin(static_cast<double>(i));
    values[50] = 30.0;
    values[150] = 20.0;
    test::RunBuilder builder;
    builder.series("loss", {0, values});
    const Timeline timeline = timelineOf(std::make_shared<const Run>(builder.take()));
    JobContext job;
    TimelineView view;
    view.to = 199;
    view.pixels = 400;
    view.incident = StepWindow{145, 160};
    const auto frame = drawTimeline(timeline, AxisMap(), view, job);
    REQUIRE(frame);
    REQUIRE(frame->panels[0].robust);
    CHECK(frame->panels[0].robust->high == 20.0);
    CHECK(frame->panels[0].full->high == 30.0);
}

TEST_CASE("steps given up by an attempt are lines of their own that stay joined", "[present]")
{
    auto run = std::make_shared<Run>([] {
        test::RunBuilder builder;
        builder.series("loss", {1, {1.0, 2.0, 3.0, 4.0}});
        builder.attempt("2", 0).series("loss", {3, {9.0, 9.0}});
        return builder.take();
    }());
    run->attempts[0].givenUpFrom = 3;
    const Timeline timeline = timelineOf(run);
    const TimelineFrame frame = frameOf(timeline, 0, 5, 100);
    const auto& lines = frame.panels[0].lines;
    REQUIRE(lines.size() == 3);
    CHECK_FALSE(lines[0].isGivenUp);
    CHECK(lines[1].isGivenUp);
    CHECK(lines[1].points.front().x == lines[0].points.back().x);
    CHECK(lines[2].attempt == 1);
}

TEST_CASE("a cancelled drawing is Cancelled", "[present]")
{
    test::RunBuilder builder;
    builder.series("loss", {1, {1.0, 2.0}});
    const Timeline timeline = timelineOf(std::make_shared<const Run>(builder.take()));
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    const auto drawn = drawTimeline(timeline, AxisMap(), {}, job);
    REQUIRE_FALSE(drawn);
    CHECK(drawn.error().code == ErrorCode::Cancelled);
}

TEST_CASE("samples place steps, and a run without them says so", "[present]")
{
    test::RunBuilder builder;
    builder.series("loss", {1, {1.0, 2.0, 3.0}});
    builder.series("consumed samples", {1, {32.0, 64.0, 128.0}});
    const RunPtr run = std::make_shared<const Run>(builder.take());
    JobContext job;
    const auto samples = makeAxisMap(*run, StepAxis::Samples, job);
    REQUIRE(samples);
    CHECK((*samples)->position(0, 2.0) == Approx(64.0));
    CHECK((*samples)->position(0, 2.5) == Approx(96.0));
    CHECK((*samples)->stepAt(0, 96.0) == Approx(2.5));
    CHECK((*samples)->position(0, 4.0) == Approx(192.0));
    CHECK_FALSE(makeAxisMap(*run, StepAxis::Tokens, job));
    const auto axes = availableAxes(*run);
    CHECK(std::find(axes.begin(), axes.end(), StepAxis::Samples) != axes.end());
    CHECK(std::find(axes.begin(), axes.end(), StepAxis::Tokens) == axes.end());
}

TEST_CASE("the cursor tells value, NaN, missing, before and nothing apart", "[present]")
{
    Column column;
    column.steps = {10, 20, 30};
    column.values = {1.5, kNan, 2.5};
    column.missingSteps = {25};
    CHECK(readColumn(column, 9).kind == ReadingKind::None);
    CHECK(readColumn(column, 10).kind == ReadingKind::Value);
    CHECK(readColumn(column, 12).kind == ReadingKind::Before);
    CHECK(readColumn(column, 12).step == 10);
    CHECK(classify(readColumn(column, 20).value) == ValueKind::NotANumber);
    CHECK(readColumn(column, 25).kind == ReadingKind::Missing);
    CHECK(readFinite(column, 22).value == 1.5);
    CHECK(readFinite(column, 9).kind == ReadingKind::None);
}

TEST_CASE("copied CSV keeps NaN and says what it left out", "[present]")
{
    test::RunBuilder builder;
    builder.series("loss", {1, {1.0, kNan, 3.0, 4.0}});
    const Timeline timeline = timelineOf(std::make_shared<const Run>(builder.take()));
    CHECK(windowCsv(timeline, {1, 3}, 100)
        == "step,attempt,series,value\n1,a1,loss,1\n2,a1,loss,NaN\n3,a1,loss,3\n");
    CHECK_THAT(windowCsv(timeline, {1, 4}, 2), Catch::Contains("2 more points were left out"));
}

TEST_CASE("attempts side by side begin at 0", "[present]")
{
    test::RunBuilder builder;
    builder.series("loss", {100, {1.0, 2.0}});
    builder.attempt("2", 0).series("loss", {500, {1.0, 2.0, 3.0}});
    Run run = builder.take();
    run.attempts[0].firstStep = 100;
    run.attempts[0].lastStep = 101;
    run.attempts[1].firstStep = 500;
    run.attempts[1].lastStep = 502;
    const auto axis = makeAlignedAxis(run);
    REQUIRE(axis);
    CHECK((*axis)->isAligned());
    CHECK((*axis)->position(1, 501.0) == Approx(1.0));
    CHECK((*axis)->stepAt(1, 2.0) == Approx(502.0));
    CHECK(axisRange(run, **axis).high == Approx(2.0));
}
