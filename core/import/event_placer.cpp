// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/event_placer.h"

#include "core/base/value_kind.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace firstbad::core {
namespace {

/// Seconds a step between two records; nullopt without usable clocks.
std::optional<double> pace(double fromTime, double toTime, std::int64_t steps) noexcept
{
    if (!isFinite(fromTime) || !isFinite(toTime) || !(toTime > fromTime) || steps <= 0)
        return std::nullopt;
    return (toTime - fromTime) / static_cast<double>(steps);
}

}  // namespace

std::vector<LogEvent> EventPlacer::place(std::optional<Clock> next)
{
    std::vector<LogEvent> placed = std::exchange(m_waiting, {});
    if (!m_last)  // nothing came before: the record behind them is all that is known
    {
        for (LogEvent& event : placed) {
            if (!event.step && next)
                event.step = next->step;
        }
        return placed;
    }
    std::optional<double> secondsAStep;
    if (next)
        secondsAStep = pace(m_last->time, next->time, next->step - m_last->step);
    else if (m_before)
        secondsAStep = pace(m_before->time, m_last->time, m_last->step - m_before->step);
    constexpr double kMaxSteps = 1e9;
    std::int64_t step = m_last->step;
    for (LogEvent& event : placed) {
        if (event.step)
            continue;
        std::int64_t at = step + 1;
        if (secondsAStep && event.time && isFinite(*event.time)) {
            const double away = (*event.time - m_last->time) / *secondsAStep;
            if (away > 0.0 && away < kMaxSteps)
                at = std::max(at, m_last->step + static_cast<std::int64_t>(std::llround(away)));
        }
        if (next && next->step > m_last->step)
            at = std::min(at, next->step);
        event.step = at;
        step = at;
    }
    return placed;
}

std::vector<LogEvent> EventPlacer::placeBefore(std::int64_t step, double time)
{
    return place(Clock{step, time});
}

std::vector<LogEvent> EventPlacer::placeAtEnd()
{
    return place(std::nullopt);
}

}  // namespace firstbad::core
