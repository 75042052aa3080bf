// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/job_watch.h"

#include "app/cli/progress_line.h"
#include "app/cli/terminal.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <string>
#include <unistd.h>

namespace firstbad::cli {
namespace {

// The only thing a signal handler may do safely: write one byte into this pipe.
std::array<int, 2> g_wake{-1, -1};

void wakeWatcher(int /*signal*/)
{
    const int before = errno;
    const char byte = 'i';
    [[maybe_unused]] const auto written = ::write(g_wake[1], &byte, 1);
    errno = before;
}

void setInterruptHandler(void (*handler)(int), int flags)
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace

JobWatch::JobWatch(bool showProgress)
    : m_showProgress(showProgress)
{
    if (::pipe(g_wake.data()) != 0)
        return;  // no descriptors left: Ctrl-C then ends the program as for any other
    setInterruptHandler(wakeWatcher, static_cast<int>(SA_RESETHAND | SA_RESTART));
    m_thread = std::jthread([this](const std::stop_token& ended) { watch(ended); });
}

JobWatch::~JobWatch()
{
    if (g_wake[1] < 0)
        return;
    m_thread.request_stop();
    const char byte = 'e';
    [[maybe_unused]] const auto written = ::write(g_wake[1], &byte, 1);
    m_thread.join();
    setInterruptHandler(SIG_DFL, 0);
    ::close(g_wake[0]);
    ::close(g_wake[1]);
    g_wake = {-1, -1};
}

void JobWatch::watch(const std::stop_token& ended)
{
    constexpr int kTenthOfSecond = 100;
    ProgressLine line;
    bool drawn = false;
    while (!ended.stop_requested()) {
        pollfd wake{g_wake[0], POLLIN, 0};
        const int ready = ::poll(&wake, 1, m_showProgress ? kTenthOfSecond : -1);
        if (ready > 0) {
            char byte = 0;
            if (::read(g_wake[0], &byte, 1) == 1 && byte == 'i')
                m_stop.request_stop();
        }
        if (ready == 0) {
            const std::string text
                = line.update(m_progress, std::chrono::steady_clock::now(), terminalColumns(2));
            drawn = drawn || !text.empty();
            [[maybe_unused]] const auto written = writeAll(STDERR_FILENO, text);
        }
    }
    if (drawn) {
        [[maybe_unused]] const auto written = writeAll(STDERR_FILENO, "\r\x1b[K");
    }
}

}  // namespace firstbad::cli
