// SPDX-License-Identifier: GPL-3.0-or-later
// JobContext: progress and cancellation of one long function call.
//
// The worker thread writes, any other thread may read progress at any time (atomics only, no
// locks). Long functions ask cancelled() at least every 50 ms of work; Cancelled is an outcome, not
// a failure.
#pragma once

#include "core/base/result.h"

#include <atomic>
#include <cstdint>
#include <stop_token>

namespace firstbad::core {

/// What a progress display polls. `stage` points at a string literal.
class ProgressSink
{
public:
    void setStage(const char* stage, std::uint64_t total) noexcept;
    void advance(std::uint64_t amount) noexcept
    {
        m_done.fetch_add(amount, std::memory_order_relaxed);
    }

    [[nodiscard]] const char* stage() const noexcept
    {
        return m_stage.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t done() const noexcept
    {
        return m_done.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t total() const noexcept
    {
        return m_total.load(std::memory_order_relaxed);
    }

private:
    std::atomic<const char*> m_stage{""};
    std::atomic<std::uint64_t> m_done{0};
    std::atomic<std::uint64_t> m_total{0};
};

class JobContext
{
public:
    JobContext() = default;
    explicit JobContext(std::stop_token token, ProgressSink* sink = nullptr)
        : m_token(std::move(token))
        , m_sink(sink)
    { }

    [[nodiscard]] bool cancelled() const noexcept { return m_token.stop_requested(); }
    [[nodiscard]] std::stop_token token() const noexcept { return m_token; }

    void setStage(const char* stage, std::uint64_t total = 0) noexcept
    {
        if (m_sink)
            m_sink->setStage(stage, total);
    }
    void advance(std::uint64_t amount) noexcept
    {
        if (m_sink)
            m_sink->advance(amount);
    }

    /// The Error that a cancelled function returns.
    [[nodiscard]] static tl::unexpected<Error> cancelledError();

private:
    std::stop_token m_token;
    ProgressSink* m_sink = nullptr;  // not owned; outlives the job
};

}  // namespace firstbad::core
