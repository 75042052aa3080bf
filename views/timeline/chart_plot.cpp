// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/plot_panel.h"

#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QPainter>
#include <QPointer>
#include <QValueAxis>

namespace firstbad::views {

namespace {

/// The chart itself has no background: panel, grid and border are painted below its lines.
class ChartView : public QChartView
{
public:
    explicit ChartView(QChart* chart, QWidget* parent)
        : QChartView(chart, parent)
    {
        setFrameShape(QFrame::NoFrame);
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setRenderHint(QPainter::Antialiasing);
        setBackgroundBrush(Qt::NoBrush);
    }

    void setGrid(const QList<double>& heights, const PlotColours& colours)
    {
        m_heights = heights;
        m_colours = colours;
        viewport()->update();
    }
    void setWindow(const PlotWindow& window) { m_window = window; }
    void setMargins(double left, double right)
    {
        m_left = left;
        m_right = right;
        placeChart();
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QChartView::resizeEvent(event);
        placeChart();
    }

    void drawBackground(QPainter* painter, const QRectF& /*rect*/) override
    {
        const QRectF plot = chart()->plotArea();
        painter->fillRect(plot, m_colours.background);
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->setPen(QPen(m_colours.grid, 1));
        const double height = m_window.toY - m_window.fromY;
        for (const double value : m_heights) {
            const double y = plot.bottom() - (value - m_window.fromY) / height * plot.height();
            painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        }
        painter->setPen(QPen(m_colours.border, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(plot.adjusted(0, 0, -1, -1));
        painter->setRenderHint(QPainter::Antialiasing);
    }

private:
    void placeChart()
    {
        chart()->setPlotArea(QRectF(m_left, 0, qMax(1.0, width() - m_left - m_right), height()));
    }

    QList<double> m_heights;
    PlotColours m_colours;
    PlotWindow m_window;
    double m_left = 0.0;
    double m_right = 0.0;
};

class ChartPlot : public PlotPanel
{
public:
    explicit ChartPlot(QWidget* parent)
        : m_chart(new QChart)
        , m_view(new ChartView(m_chart, parent))
    {
        m_chart->legend()->hide();
        m_chart->setAnimationOptions(QChart::NoAnimation);
        m_chart->setBackgroundVisible(false);
        m_chart->setPlotAreaBackgroundVisible(false);
        m_chart->setMargins(QMargins());
        m_chart->layout()->setContentsMargins(0, 0, 0, 0);
        for (auto* axis : {&m_x, &m_y}) {
            *axis = new QValueAxis(m_chart);
            (*axis)->setVisible(false);
        }
        m_chart->addAxis(m_x, Qt::AlignBottom);
        m_chart->addAxis(m_y, Qt::AlignLeft);
    }
    ~ChartPlot() override
    {
        if (m_view)
            m_view->deleteLater();
    }

    QWidget* widget() override { return m_view; }

    void setCurves(const QList<PlotCurve>& curves) override
    {
        while (m_series.size() < curves.size())
            addSeries();
        for (qsizetype i = 0; i < m_series.size(); ++i) {
            auto* series = m_series[i];
            // The last series added is drawn on top: fill from the back.
            const qsizetype at = m_series.size() - 1 - i;
            if (at >= curves.size()) {
                if (series->count() > 0)
                    series->clear();
                continue;
            }
            const PlotCurve& curve = curves[at];
            series->setPen(curve.pen);
            series->setPointsVisible(curve.showsPoints);
            series->setMarkerSize(kPointSize);
            series->replace(curve.points);
        }
    }

    void setWindow(const PlotWindow& window) override
    {
        m_view->setWindow(window);
        m_x->setRange(window.fromX, window.toX);
        m_y->setRange(window.fromY, window.toY);
        m_view->viewport()->update();
    }

    void setGrid(const QList<double>& heights, const PlotColours& colours) override
    {
        m_view->setGrid(heights, colours);
    }

    void setMargins(double left, double right) override { m_view->setMargins(left, right); }

private:
    static constexpr double kPointSize = 2.5;

    void addSeries()
    {
        auto* series = new QLineSeries(m_chart);
        m_chart->addSeries(series);
        series->attachAxis(m_x);
        series->attachAxis(m_y);
        m_series.append(series);
    }

    QChart* m_chart;  // owned by the view
    QPointer<ChartView> m_view;  // owned by its parent
    QValueAxis* m_x = nullptr;
    QValueAxis* m_y = nullptr;
    QList<QLineSeries*> m_series;
};

}  // namespace

std::unique_ptr<PlotPanel> makeChartPlot(QWidget* parent)
{
    return std::make_unique<ChartPlot>(parent);
}

}  // namespace firstbad::views
