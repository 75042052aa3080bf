// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/canvas.h"

#include "ui/bridge/text.h"
#include "ui/widgets/theme.h"
#include "views/timeline/curves.h"
#include "views/timeline/layout.h"
#include "views/timeline/painters.h"

#include <cmath>
#include <QMouseEvent>
#include <QWheelEvent>

namespace firstbad::views {

namespace {

constexpr double kZoomAStep = 1.25;
constexpr double kDragFrom = 4.0;  ///< shorter drags are clicks

}  // namespace

/// Transparent, above all panels; takes no mouse.
class Overlay : public QWidget
{
public:
    Overlay(TimelineCanvas& canvas, ui::Theme& theme)
        : QWidget(&canvas)
        , m_canvas(canvas)
        , m_theme(theme)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
    }

    void paintOn(QPainter& painter) const
    {
        const TimelineScene& scene = m_canvas.scene();
        if (!scene.timeline || !scene.axis)
            return;
        const ui::Tokens& t = m_theme.tokens();
        paintOverview(painter, scene, t);
        paintPanelLabels(painter, scene, t);
        paintRail(painter, scene, t);
        paintIncidents(painter, scene, t);
        paintStrip(painter, scene, t);
        paintAxis(painter, scene, t);
        paintCursor(painter, scene, t);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        QPainter painter(this);
        paintOn(painter);
    }

private:
    TimelineCanvas& m_canvas;
    ui::Theme& m_theme;
};

TimelineCanvas::TimelineCanvas(ui::Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_scene(std::make_unique<TimelineScene>())
    , m_overlay(new Overlay(*this, theme))
{
    setMouseTracking(true);
    setMinimumSize(200, 160);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

TimelineCanvas::~TimelineCanvas() = default;

void TimelineCanvas::setFullRange(bool on)
{
    m_fullRange = on;
    refresh();
}

void TimelineCanvas::makePanels()
{
    const std::size_t wanted = m_scene->timeline ? m_scene->timeline->panels.size() : 0;
    while (m_panels.size() < wanted) {
        m_panels.push_back(makeChartPlot(this));
        m_panels.back()->widget()->show();
    }
    m_panels.resize(wanted);
    m_overlay->raise();
}

void TimelineCanvas::placePanels()
{
    const ui::Tokens& t = m_theme.tokens();
    const TimelineLayout& layout = m_scene->layout;
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        const auto at = static_cast<qsizetype>(i);
        const QRectF& rect = layout.panels[at];
        const PanelScale& scale = m_scene->scales[at];
        m_panels[i]->widget()->setGeometry(0, qRound(rect.top()), width(), qRound(rect.height()));
        m_panels[i]->setMargins(layout.left, width() - layout.right);
        m_panels[i]->setWindow(
            {m_scene->from, m_scene->to, scale.warped(scale.low), scale.warped(scale.high)});
        QList<double> heights;
        for (const double tick : scale.ticks)
            heights.append(scale.warped(tick));
        m_panels[i]->setGrid(heights, {t.panel, t.hair, t.border});
    }
}

void TimelineCanvas::fillCurves()
{
    for (std::size_t i = 0; i < m_panels.size(); ++i)
        m_panels[i]->setCurves(curvesOf(*m_scene, static_cast<int>(i), m_theme.tokens()));
}

void TimelineCanvas::refresh()
{
    makePanels();
    m_overlay->setGeometry(rect());
    if (m_scene->timeline && m_scene->axis) {
        m_scene->layout = layOut(*m_scene, size());
        m_scene->scales = scalesOf(*m_scene, m_fullRange);
        placePanels();
        fillCurves();
    }
    update();
    m_overlay->update();
}

void TimelineCanvas::refreshOverlay()
{
    m_overlay->update();
}

void TimelineCanvas::paintAll(QPainter& painter)
{
    painter.fillRect(rect(), m_theme.tokens().panel);
    for (const auto& panel : m_panels)
        panel->widget()->render(&painter, panel->widget()->pos(), QRegion(), DrawChildren);
    m_overlay->paintOn(painter);
}

void TimelineCanvas::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.tokens().panel);
}

void TimelineCanvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    refresh();
    emit resized();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event)
{
    if (!m_scene->timeline)
        return;
    const QPoint angle = event->angleDelta();
    const bool sideways
        = std::abs(angle.x()) > std::abs(angle.y()) || event->modifiers() == Qt::ShiftModifier;
    if (sideways) {
        pan(angle.x() != 0 ? angle.x() : angle.y());
    } else {
        const double factor = std::pow(kZoomAStep, -angle.y() / 120.0);
        const double at = m_scene->positionAt(event->position().x());
        emit rangeRequested(at - (at - m_scene->from) * factor, at + (m_scene->to - at) * factor);
    }
    event->accept();
}

void TimelineCanvas::pan(double pixels)
{
    const double shift = m_scene->positionAt(0) - m_scene->positionAt(pixels);
    emit rangeRequested(m_scene->from + shift, m_scene->to + shift);
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event)
{
    setFocus();
    if (!m_scene->timeline)
        return;
    m_pressed = event->position();
    m_last = m_pressed;
    const bool panning
        = event->button() == Qt::MiddleButton || event->modifiers() == Qt::ShiftModifier;
    if (m_scene->layout.overview.adjusted(0, -4, 0, 4).contains(m_pressed)) {
        m_drag = Drag::Overview;
        moveOverview(m_pressed.x());
    } else if (panning) {
        m_drag = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        m_drag = Drag::Select;
    }
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_scene->timeline || !m_scene->axis)
        return;
    const QPointF place = event->position();
    if (m_drag == Drag::Pan) {
        pan(place.x() - m_last.x());
    } else if (m_drag == Drag::Overview) {
        moveOverview(place.x());
    } else {
        if (m_drag == Drag::Select && std::abs(place.x() - m_pressed.x()) > kDragFrom)
            m_scene->selection = std::minmax(m_pressed.x(), place.x());
        const bool inside = place.x() >= m_scene->layout.left && place.x() <= m_scene->layout.right;
        m_scene->hover.reset();
        if (inside)
            m_scene->hover = std::round(m_scene->stepAtPixel(place.x()));
        refreshOverlay();
    }
    m_last = place;
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    unsetCursor();
    if (drag != Drag::Select)
        return;
    const auto selection = std::exchange(m_scene->selection, std::nullopt);
    if (selection) {
        emit rangeRequested(
            m_scene->positionAt(selection->first), m_scene->positionAt(selection->second));
        return;
    }
    if (const auto incident = incidentAt(event->position())) {
        emit incidentRequested(*incident);
        return;
    }
    emit cursorRequested(std::llround(m_scene->stepAtPixel(event->position().x())));
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        emit wholeRangeRequested();
}

void TimelineCanvas::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    m_scene->hover.reset();
    refreshOverlay();
}

std::optional<QString> TimelineCanvas::incidentAt(QPointF place) const
{
    constexpr double kNear = 8.0;
    if (!m_scene->layout.flags.contains(place))
        return std::nullopt;
    for (const core::TimelineBand& band : m_scene->timeline->bands) {
        const double x
            = m_scene->stepX(static_cast<int>(band.attempt), static_cast<double>(band.from));
        if (std::abs(x - place.x()) < kNear)
            return bridge::qText(band.id);
    }
    return std::nullopt;
}

void TimelineCanvas::moveOverview(double x)
{
    const QRectF& rect = m_scene->layout.overview;
    const double share = (x - rect.left()) / std::max(rect.width(), 1.0);
    const double centre = m_scene->wholeFrom + share * (m_scene->wholeTo - m_scene->wholeFrom);
    const double half = (m_scene->to - m_scene->from) / 2.0;
    emit rangeRequested(centre - half, centre + half);
}

}  // namespace firstbad::views
