// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/timeline/trace_lines.h"

#include <algorithm>
#include <cmath>

namespace firstbad::core {
namespace {

constexpr double kGapIntervals = 2.5;  ///< points farther apart than this are not joined

RailMark::Kind railKind(ValueKind kind) noexcept
{
    switch (kind) {
    case ValueKind::PlusInfinity:
        return RailMark::Kind::PlusInfinity;
    case ValueKind::MinusInfinity:
        return RailMark::Kind::MinusInfinity;
    case ValueKind::NotANumber:
    case ValueKind::Finite:
        break;
    }
    return RailMark::Kind::NotANumber;
}

/// Collects points into lines: a break ends one; the given-up part is a line of its own.
class LinePen
{
public:
    LinePen(PanelFrame& panel, const TraceRequest& request)
        : m_panel(panel)
        , m_request(request)
    { }

    void add(double step, double x, double value)
    {
        const bool givenUp
            = m_request.givenUpFrom && step >= static_cast<double>(*m_request.givenUpFrom);
        if (m_open && step - m_lastStep > kGapIntervals * m_request.trace.interval * m_slack)
            m_open = false;
        if (!m_open || givenUp != m_panel.lines.back().isGivenUp)
            begin(givenUp);
        m_panel.lines.back().points.push_back({x, value});
        m_lastStep = step;
    }
    void breakLine() noexcept { m_open = false; }
    /// A pixel column may be wider than the interval of the points.
    void allowGapsOf(double steps) noexcept
    {
        m_slack = std::max(1.0, steps / m_request.trace.interval);
    }

private:
    void begin(bool givenUp)
    {
        std::optional<PlotPoint> joint;
        if (m_open && !m_panel.lines.back().points.empty())
            joint = m_panel.lines.back().points.back();
        m_panel.lines.push_back({m_request.attempt, givenUp, {}});
        if (joint)
            m_panel.lines.back().points.push_back(*joint);
        m_open = true;
    }

    PanelFrame& m_panel;
    const TraceRequest& m_request;
    double m_lastStep = 0.0;
    double m_slack = 1.0;
    bool m_open = false;
};

std::size_t lowerBound(const std::vector<std::int64_t>& steps, double step)
{
    return static_cast<std::size_t>(
        std::lower_bound(steps.begin(), steps.end(), step,
            [](std::int64_t a, double b) { return static_cast<double>(a) < b; })
        - steps.begin());
}

struct PointRange {
    std::size_t from = 0;
    std::size_t to = 0;
};

/// Points in view and one more on each side, so that lines reach the edges.
PointRange pointsInView(const TraceRequest& request)
{
    const Column& column = request.trace.pyramid->column();
    const double first = request.axis.stepAt(request.attempt, request.view.from);
    const double last = request.axis.stepAt(request.attempt, request.view.to);
    PointRange range{lowerBound(column.steps, first), lowerBound(column.steps, last)};
    while (range.to < column.size() && static_cast<double>(column.steps[range.to]) <= last)
        ++range.to;
    range.from -= range.from > 0 ? 1U : 0U;
    range.to += range.to < column.size() ? 1U : 0U;
    return range;
}

void addMissingMarks(PanelFrame& panel, const TraceRequest& request, std::int64_t step)
{
    const double x = request.axis.position(request.attempt, static_cast<double>(step));
    if (x >= request.view.from && x <= request.view.to)
        panel.marks.push_back({x, RailMark::Kind::Missing, request.attempt, 1});
}

void addExact(PanelFrame& panel, const TraceRequest& request, PointRange range)
{
    const Column& column = request.trace.pyramid->column();
    LinePen pen(panel, request);
    std::size_t missing = range.from < column.size()
        ? lowerBound(column.missingSteps, static_cast<double>(column.steps[range.from]))
        : 0;
    const auto passMissing = [&](double until) {
        while (missing < column.missingSteps.size()
            && static_cast<double>(column.missingSteps[missing]) < until) {
            addMissingMarks(panel, request, column.missingSteps[missing++]);
            pen.breakLine();
        }
    };
    for (std::size_t i = range.from; i < range.to; ++i) {
        const auto step = static_cast<double>(column.steps[i]);
        const double x = request.axis.position(request.attempt, step);
        passMissing(step);
        const ValueKind kind = classify(column.values[i]);
        if (kind == ValueKind::Finite) {
            pen.add(step, x, column.values[i]);
            continue;
        }
        pen.breakLine();
        if (x >= request.view.from && x <= request.view.to)
            panel.marks.push_back({x, railKind(kind), request.attempt, 1});
    }
    passMissing(request.axis.stepAt(request.attempt, request.view.to) + 0.5);
}

void addMarks(PanelFrame& panel, const TraceRequest& request, const PixelColumn& pixel, double x)
{
    const auto add = [&](RailMark::Kind kind, std::uint64_t count) {
        if (count > 0)
            panel.marks.push_back({x, kind, request.attempt, count});
    };
    add(RailMark::Kind::NotANumber, pixel.counts.nan);
    add(RailMark::Kind::PlusInfinity, pixel.counts.posInf);
    add(RailMark::Kind::MinusInfinity, pixel.counts.negInf);
    add(RailMark::Kind::Missing, pixel.missing);
}

std::vector<PixelColumn> warpedPixels(const TraceRequest& request)
{
    const Column& column = request.trace.pyramid->column();
    const double width
        = (request.view.to - request.view.from) / static_cast<double>(request.view.pixels);
    std::vector<PixelColumn> pixels;
    std::size_t at
        = lowerBound(column.steps, request.axis.stepAt(request.attempt, request.view.from));
    std::size_t missing
        = lowerBound(column.missingSteps, request.axis.stepAt(request.attempt, request.view.from));
    for (std::size_t i = 0; i < request.view.pixels; ++i) {
        const double edge = request.axis.stepAt(
            request.attempt, request.view.from + width * static_cast<double>(i + 1));
        const std::size_t next = std::max(at, lowerBound(column.steps, edge));
        const std::size_t nextMissing = std::max(missing, lowerBound(column.missingSteps, edge));
        auto one = request.trace.pyramid->byPoints(at, next, 1);
        pixels.push_back(one.empty() ? PixelColumn{} : one.front());
        pixels.back().missing = nextMissing - missing;
        at = next;
        missing = nextMissing;
    }
    return pixels;
}

std::vector<PixelColumn> pixelsOf(const TraceRequest& request)
{
    if (!request.axis.isIdentity() && request.trace.stepsAscend)
        return warpedPixels(request);
    return request.trace.pyramid->bySteps(static_cast<std::int64_t>(std::floor(request.view.from)),
        static_cast<std::int64_t>(std::ceil(request.view.to)), request.view.pixels);
}

void addSummarised(PanelFrame& panel, const TraceRequest& request)
{
    const auto pixels = pixelsOf(request);
    const double width
        = (request.view.to - request.view.from) / static_cast<double>(request.view.pixels);
    LinePen pen(panel, request);
    std::optional<double> previous;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const PixelColumn& pixel = pixels[i];
        const double x = request.view.from + (static_cast<double>(i) + 0.5) * width;
        addMarks(panel, request, pixel, x);
        if (!pixel.min || !pixel.max) {
            if (pixel.counts.nonfinite() > 0 || pixel.missing > 0)
                pen.breakLine();
            continue;
        }
        const double step = request.axis.stepAt(request.attempt, x);
        pen.allowGapsOf(request.axis.stepAt(request.attempt, x + width) - step);
        const bool lowFirst
            = !previous || std::abs(*previous - *pixel.min) <= std::abs(*previous - *pixel.max);
        const double first = lowFirst ? *pixel.min : *pixel.max;
        const double second = lowFirst ? *pixel.max : *pixel.min;
        pen.add(step, x - width / 4.0, first);
        if (*pixel.min < *pixel.max)
            pen.add(step, x + width / 4.0, second);
        previous = second;
    }
}

}  // namespace

bool addTrace(PanelFrame& panel, const TraceRequest& request)
{
    if (!request.trace.pyramid)
        return true;
    if (request.trace.stepsAscend) {
        const PointRange range = pointsInView(request);
        if (range.to - range.from <= 2 * request.view.pixels) {
            addExact(panel, request, range);
            return true;
        }
    }
    addSummarised(panel, request);
    return false;
}

}  // namespace firstbad::core
