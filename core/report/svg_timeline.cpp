// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/present/timeline/ticks.h"
#include "core/report/markup.h"
#include "core/report/svg.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr double kLeft = 70;
constexpr double kRight = 10;
constexpr double kWidth = 800;
constexpr double kPanelHeight = 92;
constexpr double kPanelGap = 8;
constexpr double kRailHeight = 16;
constexpr double kTop = 26;
constexpr double kTickRoom = 14;
constexpr int kMaxStepTicks = 9;
constexpr int kMaxValueTicks = 4;

std::string_view colourOf(Quantity quantity)
{
    switch (quantity) {
    case Quantity::Loss:
        return "#0067A8";
    case Quantity::LossScale:
        return "#00755B";
    case Quantity::GradNorm:
        return "#8A5A00";
    default:
        return "#4A5058";
    }
}

class TimelineDrawing
{
public:
    explicit TimelineDrawing(const ReportFigure& figure)
        : m_figure(figure)
        , m_from(figure.frame.view.from)
        , m_to(std::max(figure.frame.view.to, figure.frame.view.from + 1.0))
    { }

    std::string draw(std::string_view title)
    {
        const double bottom = bottomOfPanels();
        drawBand(bottom);
        double top = kTop;
        for (std::size_t i = 0; i < m_figure.frame.panels.size(); ++i) {
            drawPanel(i, top);
            top += kPanelHeight + kPanelGap;
        }
        for (std::size_t i = 0; i < m_figure.frame.panels.size(); ++i) {
            if (m_figure.frame.panels[i].marks.empty())
                continue;
            drawRail(i, top);
            top += kRailHeight;
        }
        drawFirstBad(top);
        drawSteps(top);
        const double height = top + 24;
        return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
                           "role=\"img\" aria-label=\"{}\" font-family=\"Noto Sans, DejaVu Sans, "
                           "sans-serif\" font-size=\"11\">{}</svg>",
            kWidth, height, htmlEscaped(title), m_svg);
    }

private:
    [[nodiscard]] double x(double step) const
    {
        const double share = (step - m_from) / (m_to - m_from);
        return kLeft + std::clamp(share, 0.0, 1.0) * (kWidth - kLeft - kRight);
    }

    [[nodiscard]] double bottomOfPanels() const
    {
        double bottom
            = kTop + static_cast<double>(m_figure.frame.panels.size()) * (kPanelHeight + kPanelGap);
        for (const PanelFrame& panel : m_figure.frame.panels)
            bottom += panel.marks.empty() ? 0 : kRailHeight;
        return bottom;
    }

    void drawBand(double bottom)
    {
        const double left = x(static_cast<double>(m_figure.band.from));
        const double right = std::max(x(static_cast<double>(m_figure.band.to)), left + 2);
        m_svg += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                             "fill=\"#B42318\" fill-opacity=\"0.07\"/>",
            left, kTop, right - left, bottom - kTop);
    }

    void drawPanel(std::size_t index, double top)
    {
        const PanelFrame& frame = m_figure.frame.panels[index];
        const TimelinePanel& panel = m_figure.timeline.panels[index];
        m_svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" "
                             "stroke=\"#CFD5DB\"/>",
            kLeft, top, kWidth - kLeft - kRight, kPanelHeight);
        m_svg += fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"600\" fill=\"{}\">{}</text>",
            kLeft + 6, top + 14, colourOf(panel.quantity), htmlEscaped(panel.label));
        if (!frame.full)
            return;
        const PlotAxis axis(frame.scale, *frame.full);
        drawTicks(axis, frame, top);
        for (const PlotLine& line : frame.lines)
            drawLine(line, axis, top, panel);
    }

    void drawTicks(const PlotAxis& axis, const PanelFrame& frame, double top)
    {
        for (const double tick : valueTicks(frame.scale, *frame.full, kMaxValueTicks)) {
            const auto at = axis.position(tick);
            if (!at)
                continue;
            const double y = top + (1.0 - *at) * kPanelHeight;
            m_svg += fmt::format("<path d=\"M{} {:.1f}H{}\" stroke=\"#E4E8EC\"/><text x=\"{}\" "
                                 "y=\"{:.1f}\" text-anchor=\"end\" fill=\"#66707B\" "
                                 "font-size=\"10\">{}</text>",
                kLeft, y, kWidth - kRight, kLeft - 6, y + 3.5, shortNumber(tick, 4));
        }
    }

    void drawLine(
        const PlotLine& line, const PlotAxis& axis, double top, const TimelinePanel& panel)
    {
        std::string path;
        bool pen = false;
        for (const PlotPoint& point : line.points) {
            const auto at = axis.position(point.value);
            if (!at) {  // no place on a log axis
                pen = false;
                continue;
            }
            const double y = top + (1.0 - std::clamp(*at, 0.0, 1.0)) * kPanelHeight;
            if (!pen)
                path += fmt::format("M{:.1f} {:.1f}", x(point.x), y);
            else if (panel.holdsValue)
                path += fmt::format("H{:.1f}V{:.1f}", x(point.x), y);
            else
                path += fmt::format("L{:.1f} {:.1f}", x(point.x), y);
            if (line.points.size() == 1)
                path += "h1";
            pen = true;
        }
        const bool focused = line.attempt == m_figure.band.attempt;
        m_svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>",
            path, line.isGivenUp && !focused ? "#8E98A3" : colourOf(panel.quantity),
            focused ? "1.7" : "1", focused ? "" : " stroke-dasharray=\"3 2\"");
    }

    void drawMark(const RailMark& mark, double y)
    {
        const double at = x(mark.x);
        switch (mark.kind) {
        case RailMark::Kind::NotANumber:
            m_svg
                += fmt::format("<path d=\"M{0:.1f} {2:.1f}L{1:.1f} {3:.1f}M{0:.1f} {3:.1f}L{1:.1f} "
                               "{2:.1f}\" stroke=\"#6A1B8A\" stroke-width=\"2\"/>",
                    at - 4, at + 4, y - 4, y + 4);
            break;
        case RailMark::Kind::PlusInfinity:
            m_svg += fmt::format("<path d=\"M{:.1f} {:.1f}l4 8h-8z\" fill=\"#F0A30A\" "
                                 "stroke=\"#7A5200\"/>",
                at, y - 4);
            break;
        case RailMark::Kind::MinusInfinity:
            m_svg += fmt::format("<path d=\"M{:.1f} {:.1f}l-4 -8h8z\" fill=\"#F0A30A\" "
                                 "stroke=\"#7A5200\"/>",
                at, y + 4);
            break;
        case RailMark::Kind::Missing:
            m_svg += fmt::format(
                "<path d=\"M{:.1f} {:.1f}h8\" stroke=\"#66707B\" stroke-width=\"1.5\"/>", at - 4,
                y);
            break;
        }
    }

    void drawRail(std::size_t index, double top)
    {
        const double y = top + kRailHeight / 2;
        m_svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#66707B\" "
                             "font-size=\"10\">{}</text>",
            kLeft - 6, y + 3.5, htmlEscaped(m_figure.timeline.panels[index].label));
        for (const RailMark& mark : m_figure.frame.panels[index].marks)
            drawMark(mark, y);
    }

    void drawFirstBad(double bottom)
    {
        const bool known = m_figure.band.firstBad.has_value();
        const auto step = static_cast<double>(m_figure.band.firstBad.value_or(m_figure.band.from));
        const std::string label = fmt::format(
            "{} {}", known ? "first bad" : "onset", groupedInteger(static_cast<long long>(step)));
        const double at = x(step);
        const bool leftwards = at > kWidth / 2;
        m_svg += fmt::format("<path d=\"M{:.1f} {}V{:.1f}\" stroke=\"#0B0D10\" "
                             "stroke-width=\"1.5\"/><text x=\"{:.1f}\" y=\"{}\" "
                             "text-anchor=\"{}\" font-weight=\"600\">{}</text>",
            at, kTop - 8, bottom, at + (leftwards ? -4 : 4), kTop - 9, leftwards ? "end" : "start",
            label);
    }

    void drawSteps(double top)
    {
        for (const double tick : stepTicks(m_from, m_to, kMaxStepTicks))
            m_svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" "
                                 "fill=\"#47505A\">{}</text>",
                std::min(x(tick), kWidth - kRight - kTickRoom), top + 16,
                groupedInteger(static_cast<long long>(tick)));
    }

    const ReportFigure& m_figure;
    double m_from;
    double m_to;
    std::string m_svg;
};

}  // namespace

std::string timelineSvg(const ReportFigure& figure, std::string_view title)
{
    return TimelineDrawing(figure).draw(title);
}

}  // namespace firstbad::core
