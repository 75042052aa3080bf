// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineView: the timeline of the run in focus: builds it, draws its frames in jobs, follows the
// focus.
//
// GUI thread only. A range change stretches the old picture at once; the new one follows from a
// job.
#pragma once

#include "ui/shell/view_entry.h"
#include "ui/widgets/pane.h"

#include <memory>
#include <QStringList>
#include <QTimer>

class QMenu;

namespace firstbad::core {  // forward declared on purpose: moc 6.4 cannot parse <compare>
class AxisMap;
struct Timeline;
struct TimelineFrame;
struct TimelineView;

}  // namespace firstbad::core

namespace firstbad::views {

class TimelineCanvas;

class TimelineView : public ui::ViewWidget
{
    Q_OBJECT
public:
    TimelineView(const ui::ViewContext& context, QWidget* parent);
    ~TimelineView() override;

    /// True when the newest range is drawn from a frame of that very range.
    [[nodiscard]] bool isSettled() const noexcept { return m_settled; }
    [[nodiscard]] TimelineCanvas* canvas() const noexcept { return m_canvas; }

signals:
    void settled();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;

private:
    void createActions();
    void createRangeActions();
    void createCopyActions();
    QAction* addViewAction(
        const QString& text, const QString& shortcut, void (TimelineView::*slot)());
    void connectCanvas();

    void takeSnapshot();
    void buildTimeline();
    void takeTimeline(const std::shared_ptr<const core::Timeline>& timeline);
    void setAxis(int axis);
    void takeAxis(const std::shared_ptr<const core::AxisMap>& axis);
    void followFocus();
    void moveCursor(int pixels);
    void requestFrame();
    void requestOverview();
    [[nodiscard]] core::TimelineView viewOf(double from, double to, int pixels) const;
    void showState();
    void fillSeriesMenu();
    void fillAxisMenu();

    void setRange(double from, double to);
    void zoom(double factor);
    void zoomIn();
    void zoomOut();
    void showWhole();
    void fitIncident();
    void toggleFullRange();
    void toggleMeasure();
    void toggleFold();
    void goToOnset();
    void goToEnd();
    void copyPng();
    void copySvg();
    void copyCsv();
    void saveImage();

    ui::ViewContext m_context;
    TimelineCanvas* m_canvas;
    QMenu* m_axisMenu = nullptr;
    QMenu* m_seriesMenu = nullptr;
    QAction* m_measureAction = nullptr;
    QAction* m_fullRangeAction = nullptr;
    QAction* m_foldAction = nullptr;
    QAction* m_axisAction = nullptr;
    QStringList m_extraSeries;
    int m_axis = 0;
    bool m_settled = false;
    bool m_moving = false;  // the focus is being set by this view
};

}  // namespace firstbad::views
