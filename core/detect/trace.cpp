// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/trace.h"

#include "core/base/assert.h"
#include "core/base/value_kind.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace firstbad::core {
namespace {

constexpr std::size_t kIntervalSample = 512;

std::int64_t typicalDistance(std::span<const std::int64_t> steps)
{
    std::vector<std::int64_t> distances;
    const std::size_t stride = std::max<std::size_t>(1, steps.size() / kIntervalSample);
    for (std::size_t i = 1; i < steps.size(); i += stride) {
        if (steps[i] > steps[i - 1])
            distances.push_back(steps[i] - steps[i - 1]);
    }
    if (distances.empty())
        return 1;
    const auto half = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), half, distances.end());
    return *half;
}

}  // namespace

bool isMaskedValue(Quantity quantity, double value) noexcept
{
    return quantity == Quantity::GradNorm && isFinite(value) && value < 0.0;
}

Trace::Trace(const Run& run, const Series& series, std::size_t attempt, std::size_t history)
    : m_series(&series)
    , m_column(series.column(attempt))
{
    FB_ASSERT(m_column != nullptr);
    m_steps = m_column->steps;
    m_values = m_column->values;
    if (!std::is_sorted(m_steps.begin(), m_steps.end()))
        sortByStep();
    undoMasks();
    m_interval = typicalDistance(m_steps);
    if (history > 0 && size() > 0)
        takeHistory(run, attempt, history);
}

void Trace::sortByStep()
{
    m_order.resize(m_column->size());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    std::stable_sort(m_order.begin(), m_order.end(),
        [&](std::size_t a, std::size_t b) { return m_column->steps[a] < m_column->steps[b]; });
    for (const std::size_t from : m_order) {
        m_ownSteps.push_back(m_column->steps[from]);
        m_ownValues.push_back(m_column->values[from]);
    }
    m_steps = m_ownSteps;
    m_values = m_ownValues;
}

void Trace::undoMasks()
{
    const auto isMask = [&](double value) { return isMaskedValue(m_series->quantity, value); };
    m_masked = static_cast<std::size_t>(std::count_if(m_values.begin(), m_values.end(), isMask));
    if (m_masked == 0)
        return;
    m_ownValues.assign(m_values.begin(), m_values.end());
    std::replace_if(
        m_ownValues.begin(), m_ownValues.end(), isMask, std::numeric_limits<double>::quiet_NaN());
    m_values = m_ownValues;
}

void Trace::takeHistory(const Run& run, std::size_t attempt, std::size_t limit)
{
    std::int64_t until = m_steps.front();
    auto parent = run.attempts[attempt].parent;
    for (std::size_t depth = 0; parent && depth < run.attempts.size(); ++depth) {
        const Column* column = m_series->column(*parent);
        for (std::size_t i = column ? column->size() : 0; i > 0 && m_before.size() < limit; --i) {
            if (column->steps[i - 1] < until && isFinite(column->values[i - 1]))
                m_before.push_back(column->values[i - 1]);
        }
        if (column && !column->empty())
            until = std::min(until, column->steps.front());
        parent = run.attempts[*parent].parent;
    }
    std::reverse(m_before.begin(), m_before.end());
}

std::optional<std::int32_t> Trace::rank() const noexcept
{
    return m_series->rank ? std::optional<std::int32_t>(m_series->rank->value) : std::nullopt;
}

std::size_t Trace::lowerBound(std::int64_t step) const noexcept
{
    return static_cast<std::size_t>(
        std::lower_bound(m_steps.begin(), m_steps.end(), step) - m_steps.begin());
}

std::optional<double> Trace::valueUpTo(std::int64_t step) const noexcept
{
    const auto after = std::upper_bound(m_steps.begin(), m_steps.end(), step);
    if (after == m_steps.begin())
        return std::nullopt;
    return m_values[static_cast<std::size_t>(after - m_steps.begin()) - 1];
}

bool Trace::isAlways(double value) const noexcept
{
    return std::all_of(m_values.begin(), m_values.end(), [&](double one) { return one == value; });
}

std::size_t Trace::point(std::size_t i) const noexcept
{
    return m_order.empty() ? i : m_order[i];
}

Evidence Trace::evidence(std::size_t i, std::string what) const
{
    Evidence found;
    found.what = std::move(what);
    found.series = m_series->name;
    found.step = m_steps[i];
    found.value = m_values[i];
    if (const auto line = m_column->lineAt(point(i)))
        found.line = *line;
    found.sourceIndex = m_column->sourceAt(point(i));
    return found;
}

}  // namespace firstbad::core
