// SPDX-License-Identifier: GPL-3.0-or-later
// EventPlacer: gives steps to events whose line names none, from the records around them.
//
// "OVERFLOW! Skipping step" carries no step. Between two records the wall clock decides, without
// clocks the order does. One a sink, one thread; O(1) a record when nothing waits.
#pragma once

#include "core/series/event.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace firstbad::core {

class EventPlacer
{
public:
    void hold(LogEvent event) { m_waiting.push_back(std::move(event)); }
    [[nodiscard]] bool waits() const noexcept { return !m_waiting.empty(); }

    /// A record of the training began: the events that waited lie at or before its step.
    [[nodiscard]] std::vector<LogEvent> placeBefore(std::int64_t step, double time);
    /// The source ended: events are placed by the pace of the last records.
    [[nodiscard]] std::vector<LogEvent> placeAtEnd();

    /// Remembers a record of the training; cheap, called for each.
    void note(std::int64_t step, double time) noexcept
    {
        if (m_last && m_last->step == step)
            return;
        m_before = m_last;
        m_last = Clock{step, time};
    }

private:
    struct Clock {
        std::int64_t step = 0;
        double time = std::numeric_limits<double>::quiet_NaN();
    };

    [[nodiscard]] std::vector<LogEvent> place(std::optional<Clock> next);

    std::vector<LogEvent> m_waiting;
    std::optional<Clock> m_before;
    std::optional<Clock> m_last;
};

}  // namespace firstbad::core
