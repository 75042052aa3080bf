// SPDX-License-Identifier: GPL-3.0-or-later
// PlotAxis: the value axis of a text plot: its range, ticks and where a value lies on it.
//
// Pure functions over finite values; any thread; no allocation but for tick labels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace firstbad::core {

enum class PlotScale : std::uint8_t { Linear, Log2, Log10 };

/// Smallest and largest finite value that a plot has to show.
struct ValueRange {
    double low = 0.0;
    double high = 0.0;
};

class PlotAxis
{
public:
    /// Bounds rounded outwards to round numbers. A log axis needs a range above zero and otherwise
    /// becomes linear.
    PlotAxis(PlotScale scale, ValueRange range);

    /// 0 at the lower end, 1 at the upper; a log axis has no place for values of zero or below.
    [[nodiscard]] std::optional<double> position(double value) const noexcept;
    /// The value at a position between 0 and 1.
    [[nodiscard]] double valueAt(double position) const noexcept;
    [[nodiscard]] std::string label(double position) const;
    [[nodiscard]] PlotScale scale() const noexcept { return m_scale; }

private:
    PlotScale m_scale;
    double m_low;  // in log units on a log axis
    double m_high;
};

}  // namespace firstbad::core
