// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/timeline/axis_map.h"

#include "core/detect/run_view.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

using Knot = std::pair<double, double>;  // step, position

/// Of the series of a quantity the one with most points in the attempt.
const Column* longestColumn(const Run& run, Quantity quantity, std::size_t attempt)
{
    const Column* longest = nullptr;
    for (const Series* series : run.findAll(quantity)) {
        const Column* column = series->column(attempt);
        if (column != nullptr && (longest == nullptr || column->size() > longest->size()))
            longest = column;
    }
    return longest;
}

const Column* longestTimedColumn(const Run& run, std::size_t attempt)
{
    const Column* longest = nullptr;
    for (const Series& series : run.series) {
        const Column* column = series.column(attempt);
        const bool timed = column != nullptr && !column->times.empty();
        if (timed && (longest == nullptr || column->size() > longest->size()))
            longest = column;
    }
    return longest;
}

std::vector<Knot> knotsOfColumn(const Column* column, const std::vector<double>& positions)
{
    std::vector<Knot> knots;
    for (std::size_t i = 0; column != nullptr && i < column->size(); ++i) {
        if (i < positions.size() && isFinite(positions[i]))
            knots.emplace_back(static_cast<double>(column->steps[i]), positions[i]);
    }
    return knots;
}

/// Steps less the updates skipped so far.
std::vector<Knot> knotsOfUpdates(const AttemptView& view)
{
    std::vector<Knot> knots;
    if (!view.first || !view.last)
        return knots;
    double skipped = 0.0;
    knots.emplace_back(static_cast<double>(*view.first - 1), static_cast<double>(*view.first - 1));
    for (const SkippedUpdates& skip : view.skips.skips()) {
        const auto before = static_cast<double>(skip.from - 1);
        knots.emplace_back(before, before - skipped);
        skipped += static_cast<double>(skip.count);
        knots.emplace_back(static_cast<double>(skip.to), static_cast<double>(skip.to) - skipped);
    }
    const auto last = static_cast<double>(std::max(*view.last, *view.first));
    knots.emplace_back(last, last - skipped);
    return knots;
}

std::vector<std::vector<Knot>> knotsOf(const Run& run, StepAxis axis)
{
    std::vector<std::vector<Knot>> knots(run.attempts.size());
    if (axis == StepAxis::Update) {
        const RunView view(run, Settings());
        for (const AttemptView& attempt : view.attempts)
            knots[attempt.index] = knotsOfUpdates(attempt);
        return knots;
    }
    for (std::size_t i = 0; i < run.attempts.size(); ++i) {
        if (axis == StepAxis::Time) {
            const Column* column = longestTimedColumn(run, i);
            if (column != nullptr)
                knots[i] = knotsOfColumn(column, column->times);
            continue;
        }
        const Column* column = longestColumn(
            run, axis == StepAxis::Samples ? Quantity::Samples : Quantity::Tokens, i);
        if (column != nullptr)
            knots[i] = knotsOfColumn(column, column->values);
    }
    return knots;
}

/// A clock never runs back: what does so (a corrected clock, a counter reset) is held.
void makeAscending(std::vector<Knot>& knots)
{
    std::stable_sort(
        knots.begin(), knots.end(), [](const Knot& a, const Knot& b) { return a.first < b.first; });
    std::vector<Knot> kept;
    for (const Knot& knot : knots) {
        if (kept.empty() || (knot.first > kept.back().first && knot.second >= kept.back().second))
            kept.push_back(knot);
    }
    knots = std::move(kept);
}

bool hasPoints(const Run& run, Quantity quantity)
{
    const auto all = run.findAll(quantity);
    return std::any_of(
        all.begin(), all.end(), [](const Series* series) { return series->points() > 1; });
}

bool hasTimes(const Run& run)
{
    for (std::size_t i = 0; i < run.attempts.size(); ++i) {
        if (longestTimedColumn(run, i) != nullptr)
            return true;
    }
    return false;
}

}  // namespace

double AxisMap::interpolated(
    const std::vector<double>& from, const std::vector<double>& to, double value) noexcept
{
    if (from.size() < 2)
        return from.empty() ? value : to.front() + (value - from.front());
    const auto found = std::upper_bound(from.begin() + 1, from.end() - 1, value);
    const auto high = static_cast<std::size_t>(found - from.begin());
    const std::size_t low = high - 1;
    const double width = from[high] - from[low];
    if (!(width > 0.0))
        return to[low];
    return to[low] + (value - from[low]) * (to[high] - to[low]) / width;
}

double AxisMap::position(std::size_t attempt, double step) const noexcept
{
    if (isIdentity() || attempt >= m_attempts.size())
        return step;
    return interpolated(m_attempts[attempt].steps, m_attempts[attempt].positions, step);
}

double AxisMap::stepAt(std::size_t attempt, double position) const noexcept
{
    if (isIdentity() || attempt >= m_attempts.size())
        return position;
    return interpolated(m_attempts[attempt].positions, m_attempts[attempt].steps, position);
}

Result<std::shared_ptr<const AxisMap>> makeAxisMap(const Run& run, StepAxis axis, JobContext& job)
{
    auto map = std::make_shared<AxisMap>();
    map->m_axis = axis;
    if (axis == StepAxis::Step)
        return map;
    auto knots = knotsOf(run, axis);
    bool any = false;
    for (auto& attempt : knots) {
        if (job.cancelled())
            return JobContext::cancelledError();
        makeAscending(attempt);
        any = any || attempt.size() > 1;
        AxisMap::Knots split;
        for (const auto& [step, position] : attempt) {
            split.steps.push_back(step);
            split.positions.push_back(position);
        }
        map->m_attempts.push_back(std::move(split));
    }
    if (!any)
        return fail(ErrorCode::NotFound,
            fmt::format("No source of this run says how its steps count as {}.", toString(axis)));
    return map;
}

Result<std::shared_ptr<const AxisMap>> makeAlignedAxis(const Run& run)
{
    auto map = std::make_shared<AxisMap>();
    for (const Attempt& attempt : run.attempts) {
        const auto first = static_cast<double>(attempt.firstStep.value_or(0));
        map->m_attempts.push_back({{first, first + 1.0}, {0.0, 1.0}});
    }
    return map;
}

ValueRange axisRange(const Run& run, const AxisMap& axis)
{
    std::optional<ValueRange> range;
    for (std::size_t i = 0; i < run.attempts.size(); ++i) {
        const Attempt& attempt = run.attempts[i];
        if (!attempt.firstStep || !attempt.lastStep)
            continue;
        const double from = axis.position(i, static_cast<double>(*attempt.firstStep));
        const double to = axis.position(i, static_cast<double>(*attempt.lastStep));
        if (!range)
            range = ValueRange{from, to};
        range->low = std::min(range->low, from);
        range->high = std::max(range->high, to);
    }
    return range.value_or(ValueRange{0.0, 1.0});
}

std::vector<StepAxis> availableAxes(const Run& run)
{
    std::vector<StepAxis> axes{StepAxis::Step};
    if (hasPoints(run, Quantity::Loss) || hasPoints(run, Quantity::LossScale))
        axes.push_back(StepAxis::Update);
    if (hasPoints(run, Quantity::Samples))
        axes.push_back(StepAxis::Samples);
    if (hasPoints(run, Quantity::Tokens))
        axes.push_back(StepAxis::Tokens);
    if (hasTimes(run))
        axes.push_back(StepAxis::Time);
    return axes;
}

}  // namespace firstbad::core
