// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_view.h"

#include "ui/bridge/incident_focus.h"
#include "ui/bridge/navigate.h"
#include "ui/bridge/run_job.h"
#include "ui/bridge/text.h"
#include "ui/bridge/workspace.h"
#include "ui/widgets/theme.h"
#include "views/timeline/canvas.h"
#include "views/timeline/scene.h"

#include <algorithm>
#include <cmath>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace firstbad::views {

namespace {

const QString kBuildJob = QStringLiteral("timeline");
const QString kFrameJob = QStringLiteral("frame");
const QString kOverviewJob = QStringLiteral("overview");
const QString kAxisJob = QStringLiteral("axis");
constexpr double kLeastWidth = 1.0;

}  // namespace

TimelineView::TimelineView(const ui::ViewContext& context, QWidget* parent)
    : ViewWidget(parent)
    , m_context(context)
    , m_canvas(new TimelineCanvas(context.theme, this))
{
    setFocusPolicy(Qt::StrongFocus);
    m_canvas->setFocusProxy(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_canvas);
    m_canvas->scene().axis = std::make_shared<const core::AxisMap>();
    createActions();
    connectCanvas();
    connect(&m_context.workspace, &bridge::Workspace::snapshotChanged, this,
        &TimelineView::takeSnapshot);
    connect(&m_context.workspace, &bridge::Workspace::stateChanged, this, &TimelineView::showState);
    connect(&m_context.focus, &bridge::IncidentFocus::changed, this, &TimelineView::followFocus);
    connect(&m_context.focus, &bridge::IncidentFocus::cursorMoved, this, [this] {
        const auto& focus = m_context.focus;
        m_canvas->scene().cursor = focus.hasCursor()
            ? std::optional(static_cast<double>(focus.cursorStep()))
            : std::nullopt;
        m_canvas->scene().measure = focus.hasMeasure()
            ? std::optional(static_cast<double>(focus.measureStep()))
            : std::nullopt;
        m_measureAction->setChecked(focus.hasMeasure());
        m_canvas->refreshOverlay();
    });
    connect(&m_context.theme, &ui::Theme::changed, m_canvas, &TimelineCanvas::refresh);
    takeSnapshot();
}

TimelineView::~TimelineView() = default;

void TimelineView::connectCanvas()
{
    connect(m_canvas, &TimelineCanvas::rangeRequested, this, &TimelineView::setRange);
    connect(m_canvas, &TimelineCanvas::wholeRangeRequested, this, &TimelineView::showWhole);
    connect(m_canvas, &TimelineCanvas::cursorRequested, &m_context.focus,
        &bridge::IncidentFocus::setCursor);
    connect(m_canvas, &TimelineCanvas::incidentRequested, this, [this](const QString& id) {
        if (const auto snapshot = m_context.workspace.snapshot())
            bridge::focusOnIncident(m_context.focus, *snapshot, id);
    });
    connect(m_canvas, &TimelineCanvas::resized, this, [this] {
        requestFrame();
        requestOverview();
    });
}

void TimelineView::takeSnapshot()
{
    if (!m_context.workspace.snapshot()) {
        m_canvas->scene().timeline.reset();
        m_canvas->scene().frame.reset();
        m_canvas->scene().whole.reset();
        m_extraSeries.clear();
        m_canvas->refresh();
        showState();
        return;
    }
    buildTimeline();
}

void TimelineView::buildTimeline()
{
    const auto snapshot = m_context.workspace.snapshot();
    if (!snapshot)
        return;
    std::vector<std::string> extra;
    for (const QString& name : m_extraSeries)
        extra.push_back(name.toStdString());
    m_settled = false;
    const auto run = static_cast<std::size_t>(std::max(m_context.focus.state().run, 0));
    bridge::runJob(
        m_context.workspace.jobs(), kBuildJob,
        [snapshot, extra, run](core::JobContext& job) {
            return core::makeTimeline(snapshot->assessment, run, extra, job);
        },
        bridge::whileAlive(
            this, [this](const core::Result<std::shared_ptr<const core::Timeline>>& made) {
                if (made)
                    takeTimeline(*made);
            }));
}

void TimelineView::takeTimeline(const std::shared_ptr<const core::Timeline>& timeline)
{
    TimelineScene& scene = m_canvas->scene();
    const bool sameRun = scene.timeline && scene.timeline->run && timeline->run
        && scene.timeline->run->id == timeline->run->id;
    const bool sawEnd = sameRun && scene.to >= scene.wholeTo - 0.5;
    const bool sawWhole = sawEnd && scene.from <= scene.wholeFrom + 0.5;
    scene.timeline = timeline;
    if (!sameRun)
        scene.frame.reset();
    fillAxisMenu();
    fillSeriesMenu();
    // A followed log keeps its newest steps in view when they were.
    const double oldEnd = scene.wholeTo;
    setAxis(m_axis);
    if (sawEnd && !sawWhole && m_context.workspace.isFollowing()) {
        const double width = scene.to - scene.from;
        const double grown = static_cast<double>(timeline->to) - oldEnd;
        if (grown > 0.0)
            m_context.focus.setRange(scene.to + grown - width, scene.to + grown);
    }
    showState();
}

void TimelineView::setAxis(int axis)
{
    const auto timeline = m_canvas->scene().timeline;
    if (!timeline || !timeline->run)
        return;
    m_axis = axis;
    bridge::runJob(
        m_context.workspace.jobs(), kAxisJob,
        [run = timeline->run, axis](
            core::JobContext& job) -> core::Result<std::shared_ptr<const core::AxisMap>> {
            return axis == core::kAlignedAxis
                ? core::makeAlignedAxis(*run)
                : core::makeAxisMap(*run, static_cast<core::StepAxis>(axis), job);
        },
        bridge::whileAlive(this,
            [this](const core::Result<std::shared_ptr<const std::shared_ptr<const core::AxisMap>>>&
                    made) { takeAxis(made ? **made : std::make_shared<const core::AxisMap>()); }));
}

void TimelineView::takeAxis(const std::shared_ptr<const core::AxisMap>& axis)
{
    TimelineScene& scene = m_canvas->scene();
    const bool sameAxis = scene.axis && scene.axis->axis() == axis->axis()
        && scene.axis->isAligned() == axis->isAligned();
    if (!sameAxis)
        scene.frame.reset();
    scene.axis = axis;
    const core::ValueRange whole = core::axisRange(*scene.timeline->run, *axis);
    scene.wholeFrom = whole.low;
    scene.wholeTo = std::max(whole.high, whole.low + kLeastWidth);
    fillAxisMenu();
    followFocus();
    requestOverview();
}

void TimelineView::followFocus()
{
    TimelineScene& scene = m_canvas->scene();
    const bridge::FocusState& focus = m_context.focus.state();
    const auto snapshot = m_context.workspace.snapshot();
    if (!scene.timeline || !scene.timeline->run || !snapshot)
        return;
    const auto& runs = snapshot->assessment.dataset->runs;
    const auto run = static_cast<std::size_t>(std::max(focus.run, 0));
    if (run < runs.size() && runs[run] != scene.timeline->run) {
        buildTimeline();
        return;
    }
    scene.attempt = focus.attempt;
    scene.incident = focus.incident;
    scene.from = scene.wholeFrom;
    scene.to = scene.wholeTo;
    if (focus.hasRange) {
        const auto lead = static_cast<std::size_t>(std::max(scene.leadAttempt(), 0));
        scene.from = scene.axis->position(lead, focus.from);
        scene.to = scene.axis->position(lead, focus.to);
    }
    if (!(scene.to - scene.from >= kLeastWidth))
        scene.to = scene.from + kLeastWidth;
    m_canvas->refresh();
    showState();
    requestFrame();
}

core::TimelineView TimelineView::viewOf(double from, double to, int pixels) const
{
    const TimelineScene& scene = m_canvas->scene();
    core::TimelineView view;
    view.from = from;
    view.to = to;
    view.pixels = static_cast<std::size_t>(std::max(pixels, 1));
    if (m_foldAction->isChecked())
        view.shownAttempts = core::lineageOf(*scene.timeline, scene.leadAttempt());
    if (const auto* band = scene.focusedBand()) {
        // The peak often follows what the incident itself counts.
        const std::int64_t after = std::max<std::int64_t>(band->to - band->from, 10);
        view.incident = core::StepWindow{band->from, band->to + after};
        view.incidentAttempt = band->attempt;
    }
    return view;
}

void TimelineView::requestFrame()
{
    const TimelineScene& scene = m_canvas->scene();
    if (!scene.timeline || !scene.timeline->run || scene.layout.right <= scene.layout.left)
        return;
    m_settled = false;
    const int pixels = qRound((scene.layout.right - scene.layout.left) * devicePixelRatioF());
    bridge::runJob(
        m_context.workspace.jobs(), kFrameJob,
        [timeline = scene.timeline, axis = scene.axis, view = viewOf(scene.from, scene.to, pixels)](
            core::JobContext& job) { return core::drawTimeline(*timeline, *axis, view, job); },
        bridge::whileAlive(
            this, [this](const core::Result<std::shared_ptr<const core::TimelineFrame>>& drawn) {
                if (!drawn)
                    return;
                m_canvas->scene().frame = *drawn;
                m_canvas->refresh();
                m_settled = true;
                showState();
                emit settled();
            }));
}

void TimelineView::requestOverview()
{
    const TimelineScene& scene = m_canvas->scene();
    if (!scene.timeline || !scene.timeline->run)
        return;
    core::TimelineView view = viewOf(scene.wholeFrom, scene.wholeTo, m_canvas->width());
    bridge::runJob(
        m_context.workspace.jobs(), kOverviewJob,
        [timeline = scene.timeline, axis = scene.axis, view](
            core::JobContext& job) { return core::drawTimeline(*timeline, *axis, view, job); },
        bridge::whileAlive(
            this, [this](const core::Result<std::shared_ptr<const core::TimelineFrame>>& drawn) {
                if (!drawn)
                    return;
                m_canvas->scene().whole = *drawn;
                m_canvas->refreshOverlay();
            }));
}

void TimelineView::setRange(double from, double to)
{
    const TimelineScene& scene = m_canvas->scene();
    if (!scene.timeline || !(to > from))
        return;
    // At most a little beyond the run, at least one step.
    const double whole = scene.wholeTo - scene.wholeFrom;
    const double width = std::clamp(to - from, kLeastWidth, std::max(whole * 1.1, kLeastWidth));
    const double slack = width * 0.5;
    double left = from;
    if (to - from < kLeastWidth)
        left = (from + to - width) / 2.0;
    left = std::clamp(left, scene.wholeFrom - slack,
        std::max(scene.wholeTo + slack - width, scene.wholeFrom - slack));
    const auto lead = static_cast<std::size_t>(std::max(scene.leadAttempt(), 0));
    m_context.focus.setRange(
        scene.axis->stepAt(lead, left), scene.axis->stepAt(lead, left + width));
}

void TimelineView::zoom(double factor)
{
    const TimelineScene& scene = m_canvas->scene();
    double at = (scene.from + scene.to) / 2.0;
    if (scene.cursor) {
        const double cursor = scene.axis->position(
            static_cast<std::size_t>(std::max(scene.leadAttempt(), 0)), *scene.cursor);
        if (cursor > scene.from && cursor < scene.to)
            at = cursor;
    }
    setRange(at - (at - scene.from) * factor, at + (scene.to - at) * factor);
}

void TimelineView::showWhole()
{
    setRange(m_canvas->scene().wholeFrom, m_canvas->scene().wholeTo);
}

void TimelineView::fitIncident()
{
    const auto snapshot = m_context.workspace.snapshot();
    const auto* row = bridge::incidentInFocus(m_context.focus, snapshot.get());
    if (row != nullptr)
        m_context.focus.setRange(
            static_cast<double>(row->window.from), static_cast<double>(row->window.to));
    else
        showWhole();
}

void TimelineView::moveCursor(int pixels)
{
    const TimelineScene& scene = m_canvas->scene();
    if (!scene.timeline || !scene.timeline->run)
        return;
    const auto middle = scene.stepAtPixel((scene.layout.left + scene.layout.right) / 2);
    const double start = scene.cursor.value_or(std::round(middle));
    const double x = scene.stepX(scene.leadAttempt(), start);
    const double step = scene.stepAtPixel(x + pixels);
    // One key press is at least one logged step.
    const double interval = scene.timeline->panels.empty()
        ? 1.0
        : scene.timeline->panels[0]
              .traces[static_cast<std::size_t>(std::max(scene.leadAttempt(), 0))]
              .interval;
    const double least = start + (pixels > 0 ? interval : -interval);
    m_context.focus.setCursor(
        std::llround(pixels > 0 ? std::max(step, least) : std::min(step, least)));
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        moveCursor(event->modifiers() == Qt::ShiftModifier ? -40 : -1);
        return;
    case Qt::Key_Right:
        moveCursor(event->modifiers() == Qt::ShiftModifier ? 40 : 1);
        return;
    case Qt::Key_Escape:
        if (!m_context.focus.hasCursor())
            break;
        m_context.focus.clearCursor();
        return;
    default:
        break;
    }
    ViewWidget::keyPressEvent(event);
}

void TimelineView::dragEnterEvent(QDragEnterEvent* event)
{
    QWidget::dragEnterEvent(event);  // files dropped here are the window's business
}

void TimelineView::showState()
{
    const TimelineScene& scene = m_canvas->scene();
    const auto state = m_context.workspace.state();
    if (state == bridge::Workspace::State::Reading) {
        setSubtitle(tr("reading"));
        return;
    }
    if (!scene.timeline || !scene.timeline->run) {
        setSubtitle(tr("no series yet"));
        return;
    }
    const int lead = scene.leadAttempt();
    QString text;
    if (lead >= 0)
        text = tr("attempt %1")
                   .arg(bridge::qText(
                       scene.timeline->attempts[static_cast<std::size_t>(lead)].name));
    const double from = scene.axis->stepAt(static_cast<std::size_t>(std::max(lead, 0)), scene.from);
    const double to = scene.axis->stepAt(static_cast<std::size_t>(std::max(lead, 0)), scene.to);
    text += tr(" · steps %1 – %2")
                .arg(bridge::grouped(std::llround(std::max(from, 0.0))),
                    bridge::grouped(std::llround(to)));
    if (scene.frame && scene.frame->isExact)
        text += tr(" · every point drawn");
    setSubtitle(text);
}

}  // namespace firstbad::views
