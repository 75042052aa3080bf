// SPDX-License-Identifier: GPL-3.0-or-later
// ProgressLine: the words of a progress display: share done, rate, time left.
//
// Pure but for the state of its own last drawing; one thread. Nothing is shown in the first half
// second, so that short work leaves no trace.
#pragma once

#include "core/base/job_context.h"

#include <chrono>
#include <string>

namespace firstbad::cli {

class ProgressLine
{
public:
    using Clock = std::chrono::steady_clock;

    /// What to write to the terminal now: "" or "\r" and a line of at most `columns`.
    [[nodiscard]] std::string update(
        const core::ProgressSink& progress, Clock::time_point now, int columns);

private:
    const char* m_stage = nullptr;
    Clock::time_point m_started;
    bool m_begun = false;
    Clock::time_point m_stageStarted;
};

}  // namespace firstbad::cli
