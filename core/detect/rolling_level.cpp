// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/rolling_level.h"

#include "core/base/assert.h"
#include "core/base/value_kind.h"

#include <algorithm>

namespace firstbad::core {
namespace {

double middle(const std::vector<double>& sorted)
{
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * sorted[half - 1] + 0.5 * sorted[half];
}

/// The k-th smallest distance to `centre` is met by walking outwards from it on both sides.
double medianDistance(const std::vector<double>& sorted, double centre)
{
    auto right = static_cast<std::size_t>(
        std::lower_bound(sorted.begin(), sorted.end(), centre) - sorted.begin());
    std::size_t left = right;  // values below index left are still to come on the left side
    const std::size_t size = sorted.size();
    double before = 0.0;
    double now = 0.0;
    for (std::size_t met = 0; met <= size / 2; ++met) {
        before = now;
        const bool takeLeft
            = left > 0 && (right == size || centre - sorted[left - 1] <= sorted[right] - centre);
        now = takeLeft ? centre - sorted[--left] : sorted[right++] - centre;
    }
    return size % 2 == 1 ? now : 0.5 * before + 0.5 * now;
}

Level levelOfSorted(const std::vector<double>& sorted)
{
    if (sorted.empty())
        return {};
    const double median = middle(sorted);
    return {median, medianDistance(sorted, median), sorted.size()};
}

}  // namespace

RollingLevel::RollingLevel(std::size_t window)
    : m_window(window)
{
    m_ring.reserve(window);
    m_sorted.reserve(window);
}

void RollingLevel::add(double value)
{
    FB_ASSERT(isFinite(value));
    if (m_ring.size() < m_window) {
        m_ring.push_back(value);
    } else {
        const auto gone = std::lower_bound(m_sorted.begin(), m_sorted.end(), m_ring[m_oldest]);
        m_sorted.erase(gone);
        m_ring[m_oldest] = value;
        m_oldest = (m_oldest + 1) % m_window;
    }
    m_sorted.insert(std::upper_bound(m_sorted.begin(), m_sorted.end(), value), value);
}

void RollingLevel::clear() noexcept
{
    m_ring.clear();
    m_sorted.clear();
    m_oldest = 0;
}

Level RollingLevel::level() const
{
    return levelOfSorted(m_sorted);
}

Level levelOf(std::vector<double>& values)
{
    std::sort(values.begin(), values.end());
    return levelOfSorted(values);
}

}  // namespace firstbad::core
