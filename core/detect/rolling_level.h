// SPDX-License-Identifier: GPL-3.0-or-later
// RollingLevel: median and median absolute deviation of the last n finite values.
//
// One owner, one thread. add() and level() cost O(n) moves of doubles with n the window (48): some
// 50 ns a point, however long the series is. Only finite values may be added.
#pragma once

#include <cstddef>
#include <vector>

namespace firstbad::core {

struct Level {
    double median = 0.0;
    double mad = 0.0;
    std::size_t count = 0;  ///< values that it stands on
};

class RollingLevel
{
public:
    explicit RollingLevel(std::size_t window);

    void add(double value);  ///< asserts that value is finite
    void clear() noexcept;
    [[nodiscard]] Level level() const;
    [[nodiscard]] std::size_t size() const noexcept { return m_sorted.size(); }

private:
    std::size_t m_window;
    std::size_t m_oldest = 0;  // position in m_ring of the value that leaves next
    std::vector<double> m_ring;
    std::vector<double> m_sorted;
};

/// Median and MAD of a handful of finite values; `values` is reordered.
[[nodiscard]] Level levelOf(std::vector<double>& values);

}  // namespace firstbad::core
