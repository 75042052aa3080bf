// SPDX-License-Identifier: GPL-3.0-or-later
// PlotPanel: the thin plotting interface. One panel of lines over a shared axis; the only door to
// the plotting library.
//
// GUI thread only. Values arrive already warped to the axis (logarithms taken) and are finite.
#pragma once

#include <memory>
#include <QColor>
#include <QList>
#include <QPen>
#include <QPointF>
#include <QRectF>
#include <QWidget>

namespace firstbad::views {

struct PlotCurve {
    QList<QPointF> points;
    QPen pen;
    bool showsPoints = false;
};

struct PlotWindow {
    double fromX = 0.0;
    double toX = 1.0;
    double fromY = 0.0;
    double toY = 1.0;
};

struct PlotColours {
    QColor background;
    QColor grid;
    QColor border;
};

class PlotPanel
{
public:
    PlotPanel() = default;
    PlotPanel(const PlotPanel&) = delete;
    PlotPanel& operator=(const PlotPanel&) = delete;
    virtual ~PlotPanel() = default;

    [[nodiscard]] virtual QWidget* widget() = 0;
    /// Bulk: replaces all curves. The first is drawn last, on top.
    virtual void setCurves(const QList<PlotCurve>& curves) = 0;
    virtual void setWindow(const PlotWindow& window) = 0;
    /// Heights of grid lines, on the warped axis.
    virtual void setGrid(const QList<double>& heights, const PlotColours& colours) = 0;
    /// Left and right edge of the plot inside the widget: all panels share them.
    virtual void setMargins(double left, double right) = 0;
};

/// A panel drawn by Qt Charts; the widget belongs to `parent`.
[[nodiscard]] std::unique_ptr<PlotPanel> makeChartPlot(QWidget* parent);

}  // namespace firstbad::views
