// SPDX-License-Identifier: GPL-3.0-or-later
// WorkerClient: the talk with one worker, from its hello to its end.
//
// One thread; a request blocks until its result, error, cancellation or the worker's death, and
// asks the job every 50 ms. A worker that breaks the protocol is ended. Silence is only told.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/protocol/worker_message.h"
#include "core/worker/transport.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace firstbad::core {

struct WorkerLimits {
    std::chrono::milliseconds hello{120'000};  ///< loading LibTorch and its devices takes long
    std::chrono::milliseconds silence{30'000};  ///< after which silent() is told, again and again
    std::chrono::milliseconds cancelGrace{2'000};
    std::chrono::milliseconds terminateGrace{1'000};
    std::uint64_t answerBytes = std::uint64_t{2} << 30U;  ///< of one request, then it is a flood
};

/// What happens while a request runs. Called on the thread of request().
class WorkerEvents
{
public:
    virtual ~WorkerEvents() = default;
    virtual void progress(const WorkerProgress& /*progress*/) { }
    /// An Error ends the request and the worker.
    [[nodiscard]] virtual Result<void> finding(const JsonValue& /*finding*/) { return {}; }
    /// Nothing came for so long; the request goes on.
    virtual void silent(std::chrono::seconds /*since*/) { }
};

class WorkerClient
{
public:
    /// Waits for the hello. ProtocolMismatch for another version; WorkerCrashed, with the end of
    /// the log, when it dies before.
    [[nodiscard]] static Result<WorkerClient> greet(
        std::unique_ptr<WorkerTransport> transport, JobContext& job, WorkerLimits limits = {});

    WorkerClient(WorkerClient&&) = default;
    WorkerClient& operator=(WorkerClient&&) = default;
    /// Asks it to shut down, and ends it if it does not.
    ~WorkerClient();

    [[nodiscard]] const WorkerHello& hello() const noexcept { return m_hello; }

    /// The content of the result, or the worker's error, or what became of it.
    [[nodiscard]] Result<JsonValue> request(
        std::string_view method, std::string paramsJson, WorkerEvents& events, JobContext& job);

private:
    WorkerClient(std::unique_ptr<WorkerTransport> transport, WorkerLimits limits)
        : m_transport(std::move(transport))
        , m_limits(limits)
    { }

    struct Request;
    [[nodiscard]] Result<WorkerSaid> nextMessage(Request& request);
    [[nodiscard]] Error deathOf(std::string_view during);
    [[nodiscard]] tl::unexpected<Error> giveUp(const Request& request);
    [[nodiscard]] bool awaitAnswer(std::int64_t id, std::chrono::milliseconds patience);
    void end();

    std::unique_ptr<WorkerTransport> m_transport;  // null once the worker is gone
    WorkerLimits m_limits;
    WorkerHello m_hello;
    std::int64_t m_lastId = 0;
};

}  // namespace firstbad::core
