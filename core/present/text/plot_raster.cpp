// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/plot_raster.h"

#include "core/base/value_kind.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace firstbad::core {
namespace {

/// Smallest and largest dot row of each dot column of one segment.
struct Envelope {
    explicit Envelope(int columns)
        : low(static_cast<std::size_t>(columns), kNone)
        , high(static_cast<std::size_t>(columns), -1)
    { }

    void include(int column, int row)
    {
        const auto at = static_cast<std::size_t>(column);
        low[at] = std::min(low[at], row);
        high[at] = std::max(high[at], row);
    }

    static constexpr int kNone = 1 << 20;
    std::vector<int> low;
    std::vector<int> high;
};

struct DotPoint {
    std::int64_t step = 0;
    int column = 0;
    int row = 0;
};

/// Joins two neighbouring points: the columns between are interpolated, or hold the first value.
void joinPoints(Envelope& envelope, const DotPoint& from, const DotPoint& to, bool holdsValue)
{
    if (holdsValue) {
        for (int column = from.column; column <= to.column; ++column)
            envelope.include(column, from.row);
        envelope.include(to.column, to.row);
        return;
    }
    const int span = to.column - from.column;
    const auto rowAt = [&](double share) {
        return static_cast<int>(std::lround(from.row + share * (to.row - from.row)));
    };
    for (int column = from.column; column < to.column; ++column) {
        const double share = (column - from.column + 0.5) / span;
        const int border = rowAt(share);  // half way to the next column: no hole in steep lines
        envelope.include(column, border);
        const int step = to.row > from.row ? 1 : -1;
        envelope.include(column + 1, border == to.row ? border : border + step);
    }
}

std::vector<std::int64_t> missingInView(const PlotSegment& segment, const StepScale& steps)
{
    std::vector<std::int64_t> missing;
    for (const std::int64_t step : segment.missingSteps) {
        if (steps.contains(step))
            missing.push_back(step);
    }
    std::sort(missing.begin(), missing.end());
    return missing;
}

/// The usual distance of two points in view; 1 when there are fewer than two.
std::int64_t usualInterval(const PlotSegment& segment, const StepScale& steps)
{
    constexpr std::size_t kEnough = 2000;
    std::vector<std::int64_t> distances;
    for (std::size_t i = 1; i < segment.steps.size() && distances.size() < kEnough; ++i) {
        const std::int64_t distance = segment.steps[i] - segment.steps[i - 1];
        if (distance > 0 && steps.contains(segment.steps[i]))
            distances.push_back(distance);
    }
    if (distances.empty())
        return 1;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return *middle;
}

/// Whether a line may be drawn between two points that follow each other in the source.
bool joinable(std::int64_t before, std::int64_t step, std::int64_t interval,
    const std::vector<std::int64_t>& missing)
{
    if (step < before || (step - before) / 2 > interval)
        return false;
    const auto between = std::upper_bound(missing.begin(), missing.end(), before);
    return between == missing.end() || *between >= step;
}

Envelope envelopeOf(const PlotSegment& segment, const StepScale& steps, const PlotAxis& axis,
    bool holdsValue, int height)
{
    const std::vector<std::int64_t> missing = missingInView(segment, steps);
    const std::int64_t interval = usualInterval(segment, steps);
    Envelope envelope(steps.dots());
    DotPoint before;
    bool hasBefore = false;
    for (std::size_t i = 0; i < segment.values.size(); ++i) {
        const std::int64_t step = segment.steps[i];
        if (!steps.contains(step))
            continue;
        const double value = segment.values[i];
        const auto position = isFinite(value) ? axis.position(value) : std::nullopt;
        if (!position) {
            hasBefore = false;
            continue;
        }
        const auto row = static_cast<int>(std::lround(*position * (height - 1)));
        const DotPoint point{step, steps.dot(step), row};
        envelope.include(point.column, point.row);
        if (hasBefore && joinable(before.step, step, interval, missing))
            joinPoints(envelope, before, point, holdsValue);
        before = point;
        hasBefore = true;
    }
    return envelope;
}

void traceSegment(const PlotSegment& segment, const StepScale& steps, const PlotAxis& axis,
    bool holdsValue, DotRaster& raster)
{
    const Envelope envelope = envelopeOf(segment, steps, axis, holdsValue, raster.height());
    for (int column = 0; column < steps.dots(); ++column) {
        const auto at = static_cast<std::size_t>(column);
        if (envelope.high[at] >= 0)
            raster.fill(column, envelope.low[at], envelope.high[at]);
    }
}

bool isNonfiniteMark(Mark mark) noexcept
{
    return mark == Mark::NotANumber || mark == Mark::PlusInfinity || mark == Mark::MinusInfinity
        || mark == Mark::Both;
}

void mergeMark(std::optional<Mark>& cell, Mark mark)
{
    if (!cell || *cell == mark || !isNonfiniteMark(*cell))
        cell = isNonfiniteMark(mark) || !cell ? mark : *cell;
    else if (isNonfiniteMark(mark))
        cell = Mark::Both;
}

}  // namespace

int StepScale::dot(std::int64_t step) const noexcept
{
    if (m_to <= m_from)
        return m_characters;
    const double share = (static_cast<double>(step) - static_cast<double>(m_from))
        / (static_cast<double>(m_to) - static_cast<double>(m_from));
    return std::clamp(static_cast<int>(std::lround(share * (dots() - 1))), 0, dots() - 1);
}

DotRaster::DotRaster(int characters, int rows)
    : m_width(2 * characters)
    , m_height(4 * rows)
    , m_dots(static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height), false)
{ }

void DotRaster::fill(int column, int low, int high)
{
    for (int row = std::max(low, 0); row <= std::min(high, m_height - 1); ++row)
        m_dots[static_cast<std::size_t>(row * m_width + column)] = true;
}

std::string DotRaster::letter(int character, int row, bool unicode) const
{
    // Bits of a braille letter by column and row from the top (Unicode 8-dot patterns).
    constexpr std::array<std::array<unsigned, 4>, 2> kBits{
        {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};
    unsigned bits = 0;
    for (int column = 0; column < 2; ++column) {
        for (int down = 0; down < 4; ++down) {
            const int y = m_height - 1 - (4 * row + down);
            const int x = 2 * character + column;
            if (m_dots[static_cast<std::size_t>(y * m_width + x)])
                bits |= kBits.at(static_cast<std::size_t>(column))
                            .at(static_cast<std::size_t>(down));
        }
    }
    if (bits == 0)
        return " ";
    if (!unicode)
        return "*";
    // U+2800 + bits in UTF-8.
    return {static_cast<char>(0xE2), static_cast<char>(0xA0U + (bits >> 6U)),
        static_cast<char>(0x80U + (bits & 0x3FU))};
}

std::optional<ValueRange> rangeInView(const PlotPanel& panel, const StepScale& steps)
{
    std::optional<ValueRange> range;
    for (const PlotSegment& segment : panel.segments) {
        for (std::size_t i = 0; i < segment.values.size(); ++i) {
            const double value = segment.values[i];
            const bool drawable = panel.scale == PlotScale::Linear || value > 0.0;
            if (!steps.contains(segment.steps[i]) || !isFinite(value) || !drawable)
                continue;
            if (!range)
                range = ValueRange{value, value};
            range->low = std::min(range->low, value);
            range->high = std::max(range->high, value);
        }
    }
    return range;
}

void tracePanel(
    const PlotPanel& panel, const StepScale& steps, const PlotAxis& axis, DotRaster& raster)
{
    for (const PlotSegment& segment : panel.segments)
        traceSegment(segment, steps, axis, panel.holdsValue, raster);
}

std::vector<std::optional<Mark>> railOf(
    const PlotPanel& panel, const StepScale& steps, const PlotAxis& axis)
{
    std::vector<std::optional<Mark>> rail(static_cast<std::size_t>(steps.characters()));
    const auto cell = [&](std::int64_t step) -> std::optional<Mark>& {
        return rail[static_cast<std::size_t>(steps.character(step))];
    };
    for (const PlotSegment& segment : panel.segments) {
        for (std::size_t i = 0; i < segment.values.size(); ++i) {
            if (!steps.contains(segment.steps[i]))
                continue;
            const ValueKind kind = classify(segment.values[i]);
            if (kind != ValueKind::Finite)
                mergeMark(cell(segment.steps[i]), markOf(kind));
            else if (!axis.position(segment.values[i]))
                mergeMark(cell(segment.steps[i]), Mark::Zero);
        }
        for (const std::int64_t step : segment.missingSteps) {
            if (steps.contains(step))
                mergeMark(cell(step), Mark::Missing);
        }
    }
    return rail;
}

}  // namespace firstbad::core
