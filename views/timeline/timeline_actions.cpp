// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of TimelineView: menus of axis and series, zoom, measure, copy.
#include "core/present/timeline/cursor.h"
#include "ui/bridge/incident_focus.h"
#include "ui/bridge/text.h"
#include "ui/bridge/workspace.h"
#include "ui/widgets/theme.h"
#include "views/timeline/canvas.h"
#include "views/timeline/scene.h"
#include "views/timeline/timeline_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QSvgGenerator>

namespace firstbad::views {

namespace {

constexpr double kKeyZoom = 1.5;
constexpr std::size_t kMostCsvLines = 200'000;

struct AxisName {
    int axis;
    const char* name;
};
constexpr std::array<AxisName, 6> kAxes{{
    {static_cast<int>(core::StepAxis::Step), QT_TRANSLATE_NOOP("Timeline", "step")},
    {static_cast<int>(core::StepAxis::Update), QT_TRANSLATE_NOOP("Timeline", "update")},
    {static_cast<int>(core::StepAxis::Samples), QT_TRANSLATE_NOOP("Timeline", "samples")},
    {static_cast<int>(core::StepAxis::Tokens), QT_TRANSLATE_NOOP("Timeline", "tokens")},
    {static_cast<int>(core::StepAxis::Time), QT_TRANSLATE_NOOP("Timeline", "time (UTC)")},
    {core::kAlignedAxis, QT_TRANSLATE_NOOP("Timeline", "steps since each attempt began")},
}};

QString axisName(int axis)
{
    for (const AxisName& entry : kAxes) {
        if (entry.axis == axis)
            return QCoreApplication::translate("Timeline", entry.name);
    }
    return {};
}

void markForHeader(QAction* action)
{
    action->setProperty("inHeader", true);
}

}  // namespace

QAction* TimelineView::addViewAction(
    const QString& text, const QString& shortcut, void (TimelineView::*slot)())
{
    auto* action = new QAction(text, this);
    action->setShortcut(QKeySequence(shortcut));
    action->setToolTip(QStringLiteral("%1 (%2)").arg(text, shortcut));
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
    return action;
}

void TimelineView::createActions()
{
    m_axisAction = new QAction(tr("axis: step"), this);
    m_axisAction->setToolTip(tr("What the horizontal axis counts"));
    m_axisMenu = new QMenu(this);
    m_axisAction->setMenu(m_axisMenu);
    markForHeader(m_axisAction);
    addAction(m_axisAction);
    auto* series = new QAction(tr("series"), this);
    series->setToolTip(tr("Which series have a panel"));
    m_seriesMenu = new QMenu(this);
    series->setMenu(m_seriesMenu);
    markForHeader(series);
    addAction(series);
    m_foldAction = addViewAction(tr("Only this attempt and what it continues"),
        QStringLiteral("Space"), &TimelineView::toggleFold);
    m_foldAction->setCheckable(true);
    createRangeActions();
    createCopyActions();
}

void TimelineView::createRangeActions()
{
    m_fullRangeAction = addViewAction(
        tr("Full value range"), QStringLiteral("Shift+F"), &TimelineView::toggleFullRange);
    m_fullRangeAction->setCheckable(true);
    m_measureAction = addViewAction(
        tr("Measure from the cursor"), QStringLiteral("M"), &TimelineView::toggleMeasure);
    m_measureAction->setCheckable(true);
    m_measureAction->setIcon(m_context.theme.icon(QStringLiteral("measure")));
    markForHeader(m_measureAction);
    auto* fit
        = addViewAction(tr("Fit to the incident"), QStringLiteral("F"), &TimelineView::fitIncident);
    fit->setIcon(m_context.theme.icon(QStringLiteral("fit")));
    markForHeader(fit);
    auto* in = addViewAction(tr("Zoom in"), QStringLiteral("+"), &TimelineView::zoomIn);
    in->setShortcuts({QKeySequence(QStringLiteral("+")), QKeySequence(QStringLiteral("="))});
    addViewAction(tr("Zoom out"), QStringLiteral("-"), &TimelineView::zoomOut);
    addViewAction(tr("Whole run"), QStringLiteral("0"), &TimelineView::showWhole);
    addViewAction(tr("Cursor to the onset"), QStringLiteral("Home"), &TimelineView::goToOnset);
    addViewAction(tr("Cursor to the last step"), QStringLiteral("End"), &TimelineView::goToEnd);
    connect(&m_context.theme, &ui::Theme::changed, this, [this, fit] {
        m_measureAction->setIcon(m_context.theme.icon(QStringLiteral("measure")));
        fit->setIcon(m_context.theme.icon(QStringLiteral("fit")));
    });
}

void TimelineView::createCopyActions()
{
    addViewAction(
        tr("Copy the values in view as CSV"), QStringLiteral("Ctrl+C"), &TimelineView::copyCsv);
    addViewAction(tr("Copy the picture"), QStringLiteral("Ctrl+Shift+C"), &TimelineView::copyPng);
    addViewAction(
        tr("Copy the picture as SVG"), QStringLiteral("Ctrl+Alt+C"), &TimelineView::copySvg);
}

void TimelineView::fillAxisMenu()
{
    m_axisMenu->clear();
    const auto& run = m_canvas->scene().timeline->run;
    if (!run)
        return;
    std::vector<int> axes;
    for (const core::StepAxis axis : core::availableAxes(*run))
        axes.push_back(static_cast<int>(axis));
    if (run->attempts.size() > 1)
        axes.push_back(core::kAlignedAxis);
    for (const int axis : axes) {
        auto* action = m_axisMenu->addAction(axisName(axis));
        action->setCheckable(true);
        action->setChecked(axis == m_axis);
        connect(action, &QAction::triggered, this, [this, axis] { setAxis(axis); });
    }
    m_axisAction->setText(tr("axis: %1").arg(axisName(m_axis)));
}

void TimelineView::fillSeriesMenu()
{
    m_seriesMenu->clear();
    const auto timeline = m_canvas->scene().timeline;
    if (!timeline->run)
        return;
    const auto panelOf = [&timeline](const std::string& name) {
        return std::any_of(timeline->panels.begin(), timeline->panels.end(),
            [&name](const core::TimelinePanel& panel) { return panel.sourceName == name; });
    };
    for (const core::Series& series : timeline->run->series) {
        const QString name = bridge::qText(series.name);
        auto* action = m_seriesMenu->addAction(name);
        action->setCheckable(true);
        action->setChecked(panelOf(series.name));
        action->setEnabled(!action->isChecked() || m_extraSeries.contains(name));
        connect(action, &QAction::toggled, this, [this, name](bool on) {
            if (on)
                m_extraSeries.append(name);
            else
                m_extraSeries.removeAll(name);
            buildTimeline();
        });
    }
}

void TimelineView::zoomIn()
{
    zoom(1.0 / kKeyZoom);
}

void TimelineView::zoomOut()
{
    zoom(kKeyZoom);
}

void TimelineView::toggleFullRange()
{
    m_canvas->setFullRange(m_fullRangeAction->isChecked());
}

void TimelineView::toggleFold()
{
    requestFrame();
}

void TimelineView::toggleMeasure()
{
    auto& focus = m_context.focus;
    if (focus.hasMeasure()) {
        focus.clearMeasure();
        return;
    }
    const TimelineScene& scene = m_canvas->scene();
    const double start = scene.cursor ? *scene.cursor
        : scene.focusedBand() != nullptr
        ? static_cast<double>(scene.focusedBand()->from)
        : scene.stepAtPixel((scene.layout.left + scene.layout.right) / 2);
    focus.startMeasure(std::llround(start));
}

void TimelineView::goToOnset()
{
    if (const auto* band = m_canvas->scene().focusedBand())
        m_context.focus.setCursor(band->firstBad.value_or(band->from));
}

void TimelineView::goToEnd()
{
    const TimelineScene& scene = m_canvas->scene();
    const int lead = scene.leadAttempt();
    if (lead < 0)
        return;
    const auto& attempt = scene.timeline->attempts[static_cast<std::size_t>(lead)];
    if (attempt.last)
        m_context.focus.setCursor(*attempt.last);
}

void TimelineView::copyPng()
{
    const qreal ratio = std::max(devicePixelRatioF(), 2.0);
    QImage image((QSizeF(m_canvas->size()) * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    m_canvas->paintAll(painter);
    painter.end();
    QApplication::clipboard()->setImage(image);
}

void TimelineView::copySvg()
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(m_canvas->size());
    generator.setViewBox(m_canvas->rect());
    generator.setTitle(tr("Timeline"));
    QPainter painter(&generator);
    m_canvas->paintAll(painter);
    painter.end();
    auto* picture = new QMimeData;
    picture->setData(QStringLiteral("image/svg+xml"), buffer.data());
    picture->setText(QString::fromUtf8(buffer.data()));
    QApplication::clipboard()->setMimeData(picture);
}

void TimelineView::copyCsv()
{
    const TimelineScene& scene = m_canvas->scene();
    if (!scene.timeline)
        return;
    const core::StepWindow window{std::llround(scene.stepAtPixel(scene.layout.left)),
        std::llround(scene.stepAtPixel(scene.layout.right))};
    QApplication::clipboard()->setText(
        bridge::qText(core::windowCsv(*scene.timeline, window, kMostCsvLines)));
}

}  // namespace firstbad::views
