// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineCanvas: the panels with everything painted over them; turns mouse and keys into ranges,
// cursors and measures.
//
// GUI thread only. Computes no frames: it shows the newest it was given, stretched to the range.
#pragma once

#include <memory>
#include <optional>
#include <QList>
#include <QPointF>
#include <QWidget>
#include <vector>

namespace firstbad::ui {
class Theme;
}  // namespace firstbad::ui

namespace firstbad::views {

class Overlay;
class PlotPanel;
struct TimelineScene;

class TimelineCanvas : public QWidget
{
    Q_OBJECT
public:
    TimelineCanvas(ui::Theme& theme, QWidget* parent);
    ~TimelineCanvas() override;

    /// The canvas owns the scene; after changing it call refresh().
    [[nodiscard]] TimelineScene& scene() noexcept { return *m_scene; }
    [[nodiscard]] const TimelineScene& scene() const noexcept { return *m_scene; }
    /// Lays out and draws anew. Cheap enough for every mouse move of a zoom.
    void refresh();
    /// Only what lies over the curves changed.
    void refreshOverlay();
    void setFullRange(bool on);
    [[nodiscard]] bool isFullRange() const noexcept { return m_fullRange; }
    /// Draws background, panels and overlay: for PNG and SVG.
    void paintAll(QPainter& painter);

signals:
    void rangeRequested(double from, double to);
    void cursorRequested(qint64 step);
    void wholeRangeRequested();
    void incidentRequested(const QString& id);
    void resized();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    enum class Drag { None, Select, Pan, Overview };

    void makePanels();
    void placePanels();
    void fillCurves();
    [[nodiscard]] std::optional<QString> incidentAt(QPointF place) const;
    void moveOverview(double x);
    void pan(double pixels);

    ui::Theme& m_theme;
    std::unique_ptr<TimelineScene> m_scene;
    std::vector<std::unique_ptr<PlotPanel>> m_panels;
    Overlay* m_overlay;
    bool m_fullRange = false;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    QPointF m_last;
};

}  // namespace firstbad::views
