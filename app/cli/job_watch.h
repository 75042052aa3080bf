// SPDX-License-Identifier: GPL-3.0-or-later
// JobWatch: while it lives, Ctrl-C cancels the job, and progress is drawn on stderr ten times a
// second.
//
// Owns one thread that sleeps in poll(). At most one may live at a time (signals are global). A
// second Ctrl-C ends the program at once.
#pragma once

#include "core/base/job_context.h"

#include <stop_token>
#include <thread>

namespace firstbad::cli {

class JobWatch
{
public:
    explicit JobWatch(bool showProgress);
    ~JobWatch();
    JobWatch(const JobWatch&) = delete;
    JobWatch& operator=(const JobWatch&) = delete;

    [[nodiscard]] core::JobContext context()
    {
        return core::JobContext(m_stop.get_token(), &m_progress);
    }

private:
    void watch(const std::stop_token& ended);

    core::ProgressSink m_progress;
    std::stop_source m_stop;
    bool m_showProgress;
    std::jthread m_thread;
};

}  // namespace firstbad::cli
