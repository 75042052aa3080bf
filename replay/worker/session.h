// SPDX-License-Identifier: GPL-3.0-or-later
// Session: one worker's side of the protocol: requests in, findings and one answer each out.
//
// Two threads: the reader calls offer(), the worker calls serve(); say() is called under a lock.
// A cancel reaches the request that runs or waits, everything else is answered in order.
#pragma once

#include "core/base/job_context.h"
#include "core/protocol/replay_request.h"
#include "core/protocol/worker_message.h"
#include "replay/engine/replay_engine.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

namespace firstbad::replay {

class Session
{
public:
    using Say = std::function<void(const std::string& line)>;

    Session(core::WorkerHello hello, Say say);

    /// The line to say before anything is read.
    void greet();

    /// Reader's thread: takes one line.
    void offer(std::string line);
    /// Reader's thread: there will be no further line.
    void close();

    /// Answers requests until a shutdown was answered or the input is closed and empty.
    void serve();

private:
    [[nodiscard]] bool tryCancel(const core::WorkerRequest& request);
    [[nodiscard]] std::optional<std::string> nextLine();
    void answer(const std::string& line);
    [[nodiscard]] core::Result<std::string> run(const core::WorkerRequest& request);
    [[nodiscard]] core::Result<std::string> runModel(
        const core::WorkerRequest& request, core::JobContext& job);
    [[nodiscard]] core::Result<std::string> ask(std::string_view method, std::int64_t id,
        const core::ReplayRequest& request, core::JobContext& job);
    [[nodiscard]] core::Result<void> load(
        const core::ReplayRequest& request, core::JobContext& job);
    [[nodiscard]] std::string summary(std::int64_t id, const core::ReplayResult& result);
    [[nodiscard]] EngineEvents eventsFor(std::int64_t id);
    void say(const std::string& line);

    core::WorkerHello m_hello;
    Say m_say;
    std::mutex m_sayMutex;

    std::mutex m_mutex;  // guards the five below
    std::condition_variable m_wake;
    std::deque<std::string> m_lines;
    bool m_closed = false;
    std::optional<std::int64_t> m_running;
    std::stop_source m_stop;

    bool m_finished = false;
    std::unique_ptr<ReplayEngine> m_engine;
    std::string m_loaded;  ///< what m_engine was opened for
};

}  // namespace firstbad::replay
