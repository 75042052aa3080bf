// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_line.h"

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/present/text/text_width.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

std::string bar(double share)
{
    constexpr int kWidth = 20;
    const int full = std::clamp(static_cast<int>(share * kWidth), 0, kWidth);
    return "[" + std::string(static_cast<std::size_t>(full), '#')
        + std::string(static_cast<std::size_t>(kWidth - full), '.') + "]";
}

}  // namespace

std::string ProgressLine::update(
    const core::ProgressSink& progress, Clock::time_point now, int columns)
{
    constexpr auto kQuiet = std::chrono::milliseconds(500);
    if (!m_begun || progress.stage() != m_stage) {
        m_started = m_begun ? m_started : now;
        m_stageStarted = now;
        m_stage = progress.stage();
        m_begun = true;
    }
    if (now - m_started < kQuiet || m_stage == nullptr || *m_stage == '\0')
        return {};
    const double seconds = std::chrono::duration<double>(now - m_stageStarted).count();
    const auto done = static_cast<double>(progress.done());
    const auto total = static_cast<double>(progress.total());
    std::string text = m_stage;
    if (total > 0.0) {
        const double share = std::min(done / total, 1.0);
        text += fmt::format("  {} {:3.0f} %", bar(share), share * 100.0);
        // Only reading counts in bytes.
        if (core::containsIgnoringCase(m_stage, "read") && seconds > 0.0)
            text += fmt::format(
                "  {}/s", core::humanBytes(static_cast<unsigned long long>(done / seconds)));
        if (done > 0.0 && share < 1.0)
            text += fmt::format("  {} left", core::humanDuration(seconds * (total - done) / done));
    }
    return "\r" + core::cutToWidth(text, columns - 1, "") + "\x1b[K";
}

}  // namespace firstbad::cli
