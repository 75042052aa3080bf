// SPDX-License-Identifier: GPL-3.0-or-later
// StepWatch: notices that a series' own steps go back, the sign of a restart inside one source.
//
// For sources whose series have different clocks (steps, samples, epochs). One thread; O(1) a
// point, 16 bytes a series.
#pragma once

#include "core/import/record_sink.h"

#include <cstdint>
#include <vector>

namespace firstbad::core {

class StepWatch
{
public:
    /// Call before the point is added. `certain`: this source's writer makes going back a restart.
    void see(ColumnHandle column, std::int64_t step, double time, bool certain, RecordSink& sink)
    {
        if (column.index >= m_last.size())
            m_last.resize(column.index + 1U);
        Last& last = m_last[column.index];
        if (last.launch == m_launch && step < last.step)
            goneBack(last.step, step, time, certain, sink);
        last = {step, m_launch};
    }

    /// A launch begins, whatever the steps say.
    void restart() noexcept { ++m_launch; }

private:
    struct Last {
        std::int64_t step = 0;
        std::uint64_t launch = 0;  // 0: no point yet
    };

    void goneBack(std::int64_t from, std::int64_t to, double time, bool certain, RecordSink& sink);

    std::vector<Last> m_last;
    std::uint64_t m_launch = 1;  // one break a restart: the other series of it compare afresh
};

}  // namespace firstbad::core
