// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline against raw Qt Charts with all points: first plot, frames of pan and zoom, and the
// longest stall of the event loop while a log is read.
//
// FIRSTBAD_BENCH_POINTS sets the size of the large run (default: two million, so that CI is quick).
#include "core/present/timeline/frame.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session.h"
#include "views/timeline/canvas.h"
#include "views/timeline/scene.h"
#include "views/view_table.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <QApplication>
#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QSettings>
#include <QTemporaryDir>

namespace {

using namespace firstbad;

constexpr std::size_t kMillion = 1'000'000;
constexpr QSize kSize(1200, 700);

double valueAt(std::size_t i)
{
    return 2.0 + 0.3 * std::sin(static_cast<double>(i) * 0.001)
        + 0.01 * static_cast<double>(i % 13);
}

std::size_t manyPoints()
{
    const char* wanted = std::getenv("FIRSTBAD_BENCH_POINTS");
    return wanted == nullptr ? 2 * kMillion : std::strtoull(wanted, nullptr, 10);
}

core::Assessment assessmentOf(std::size_t points)
{
    auto column = std::make_shared<core::Column>();
    column->steps.resize(points);
    column->values.resize(points);
    for (std::size_t i = 0; i < points; ++i) {
        column->steps[i] = static_cast<std::int64_t>(i);
        column->values[i] = valueAt(i);
    }
    column->values[points / 3] = std::numeric_limits<double>::quiet_NaN();
    auto run = std::make_shared<core::Run>();
    run->attempts.resize(1);
    run->attempts[0].id.value = "1";
    run->attempts[0].firstStep = 0;
    run->attempts[0].lastStep = static_cast<std::int64_t>(points) - 1;
    core::Series series;
    series.name = "loss";
    series.quantity = core::Quantity::Loss;
    series.columns = {column};
    run->series = {series};
    auto dataset = std::make_shared<core::Dataset>();
    dataset->runs = {run};
    core::Assessment assessment;
    assessment.dataset = dataset;
    assessment.runs = {{run, {}}};
    return assessment;
}

double secondsOf(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What somebody would write first: every point into a QLineSeries.
double rawFirstPlotSeconds()
{
    static const double kSeconds = secondsOf([] {
        QList<QPointF> points;
        points.reserve(static_cast<qsizetype>(kMillion));
        for (std::size_t i = 0; i < kMillion; ++i)
            points.append(QPointF(static_cast<double>(i), valueAt(i)));
        auto* chart = new QChart;
        auto* series = new QLineSeries;
        series->replace(points);
        chart->addSeries(series);
        chart->createDefaultAxes();
        QChartView view(chart);
        view.resize(kSize);
        benchmark::DoNotOptimize(view.grab());
    });
    return kSeconds;
}

struct Plot {
    ui::Theme theme;
    views::TimelineCanvas canvas{theme, nullptr};

    explicit Plot(std::shared_ptr<const core::Timeline> timeline)
    {
        canvas.resize(kSize);
        auto& scene = canvas.scene();
        scene.axis = std::make_shared<const core::AxisMap>();
        scene.timeline = std::move(timeline);
        scene.wholeFrom = 0.0;
        scene.wholeTo = static_cast<double>(scene.timeline->to);
    }
    void show(double from, double to)
    {
        auto& scene = canvas.scene();
        scene.from = from;
        scene.to = to;
        core::JobContext job;
        core::TimelineView view;
        view.from = from;
        view.to = to;
        view.pixels = static_cast<std::size_t>(kSize.width());
        scene.frame = std::make_shared<const core::TimelineFrame>(
            *core::drawTimeline(*scene.timeline, *scene.axis, view, job));
        canvas.refresh();
        benchmark::DoNotOptimize(canvas.grab());
    }
};

std::shared_ptr<const core::Timeline> timelineOf(const core::Assessment& assessment)
{
    core::JobContext job;
    return std::make_shared<const core::Timeline>(*core::makeTimeline(assessment, 0, {}, job));
}

bool showsTheNan(const Plot& plot)
{
    const auto& marks = plot.canvas.scene().frame->panels[0].marks;
    return std::any_of(marks.begin(), marks.end(), [](const core::RailMark& mark) {
        return mark.kind == core::RailMark::Kind::NotANumber && mark.count == 1;
    });
}

void firstPlotOfAMillion(benchmark::State& state)
{
    const auto assessment = assessmentOf(kMillion);
    double seconds = 0.0;
    for (auto _ : state) {
        seconds += secondsOf([&assessment] {
            Plot plot(timelineOf(assessment));
            plot.show(0.0, static_cast<double>(kMillion));
            if (!showsTheNan(plot))
                std::abort();
        });
    }
    state.counters["share_of_raw_charts"]
        = seconds / static_cast<double>(state.iterations()) / rawFirstPlotSeconds();
}

void frameOfPanAndZoom(benchmark::State& state)
{
    static const auto kAssessment = assessmentOf(manyPoints());
    static const auto kTimeline = timelineOf(kAssessment);
    Plot plot(kTimeline);
    const auto whole = static_cast<double>(manyPoints());
    plot.show(0.0, whole);
    if (!showsTheNan(plot))
        std::abort();
    double width = whole;
    double seconds = 0.0;
    for (auto _ : state) {
        width = width < 1000.0 ? whole : width / 1.3;
        const double from = (whole - width) / 3.0;
        seconds += secondsOf([&plot, from, width] { plot.show(from, from + width); });
    }
    state.counters["points"] = whole;
    state.counters["pyramid_MB"]
        = static_cast<double>(kTimeline->panels[0].traces[0].pyramid->memoryBytes()) / 1e6;
    state.counters["share_of_raw_charts"]
        = seconds / static_cast<double>(state.iterations()) / rawFirstPlotSeconds();
}

/// The longest time that the event loop did not come round while a log was read and judged.
void longestStallWhileReading(benchmark::State& state)
{
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("train.log")).toStdString();
    std::ofstream log(path);
    for (std::size_t i = 1; i <= kMillion / 4; ++i)
        log << "step=" << i << " loss=" << valueAt(i) << " grad_norm=0.5 lr=0.001\n";
    log.close();
    double longest = 0.0;
    for (auto _ : state) {
        ui::Session session;
        ui::MainWindow window(session, views::viewTable());
        window.resize(kSize);
        window.show();
        window.open({QString::fromStdString(path)});
        while (session.workspace.state() != bridge::Workspace::State::Ready)
            longest = std::max(
                longest, secondsOf([] { QApplication::processEvents(QEventLoop::AllEvents, 1); }));
        for (int i = 0; i < 100; ++i)
            longest = std::max(
                longest, secondsOf([] { QApplication::processEvents(QEventLoop::AllEvents, 1); }));
    }
    state.counters["longest_stall_ms"] = 1000.0 * longest;
}

BENCHMARK(firstPlotOfAMillion)->Unit(benchmark::kMillisecond);
BENCHMARK(frameOfPanAndZoom)->Unit(benchmark::kMillisecond);
BENCHMARK(longestStallWhileReading)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
