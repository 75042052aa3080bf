// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/worker_client.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kListen{50};

tl::unexpected<Error> mismatch(std::string message)
{
    return fail(ErrorCode::ProtocolMismatch, std::move(message),
        "The worker and this program must come from the same build; FIRSTBAD_WORKER may name an "
        "old one.");
}

}  // namespace

/// One request while it runs.
struct WorkerClient::Request {
    std::int64_t id = 0;
    std::string method;
    WorkerEvents* events = nullptr;
    JobContext* job = nullptr;
    Clock::time_point deadline = Clock::time_point::max();
    std::uint64_t bytes = 0;
};

Error WorkerClient::deathOf(std::string_view during)
{
    const std::string how = m_transport->howItEnded();
    Error error{ErrorCode::WorkerCrashed, fmt::format("The worker {} {}.", how, during), {}, {},
        "What was proven before stays. Run it again; with -v the end of its log is shown."};
    if (how.find("signal 9") != std::string::npos)
        error.hint = "It was killed, most likely for lack of memory: bound it, or use a machine "
                     "with more.";
    error.context = m_transport->lastLog();
    if (!error.context.empty())
        error.message += fmt::format(" Its last words: {}", error.context.back());
    m_transport.reset();
    return error;
}

void WorkerClient::end()
{
    if (!m_transport)
        return;
    m_transport->terminate();
    const auto until = Clock::now() + m_limits.terminateGrace;
    while (Clock::now() < until && m_transport->receive(kListen).kind != Received::Kind::Closed) { }
    m_transport->kill();
    m_transport.reset();
}

/// Waits for the next message, telling of silence meanwhile.
Result<WorkerSaid> WorkerClient::nextMessage(Request& request)
{
    auto lastHeard = Clock::now();
    auto nextNotice = m_limits.silence;
    for (;;) {
        if (request.job->cancelled())
            return giveUp(request);
        Received received = m_transport->receive(kListen);
        if (received.kind == Received::Kind::Closed)
            return tl::unexpected(
                deathOf(request.method.empty() ? std::string("before it said what it is")
                                               : fmt::format("during {}", request.method)));
        if (received.kind == Received::Kind::TooLong) {
            end();
            return mismatch(
                "The worker said a line of more than 1 MiB, which the protocol does not allow.");
        }
        if (received.kind == Received::Kind::Line) {
            request.bytes += received.line.size();
            auto said = request.bytes > m_limits.answerBytes ? Result<WorkerSaid>(
                            mismatch("The worker floods: it said more than any answer needs."))
                                                             : parseWorkerLine(received.line);
            if (!said)
                end();
            return said;
        }
        const auto silent
            = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - lastHeard);
        if (Clock::now() > request.deadline) {
            end();
            return mismatch("The worker does not say what it is: no hello came.");
        }
        if (request.events != nullptr && silent > nextNotice) {
            request.events->silent(std::chrono::duration_cast<std::chrono::seconds>(silent));
            nextNotice += m_limits.silence;
        }
    }
}

bool WorkerClient::awaitAnswer(std::int64_t id, std::chrono::milliseconds patience)
{
    const auto until = Clock::now() + patience;
    while (Clock::now() < until) {
        const Received received = m_transport->receive(kListen);
        if (received.kind == Received::Kind::Closed || received.kind == Received::Kind::TooLong)
            return false;
        if (received.kind != Received::Kind::Line)
            continue;
        const auto said = parseWorkerLine(received.line);
        const bool answers = said && said->id == id
            && (std::holds_alternative<WorkerResult>(said->what)
                || std::holds_alternative<Error>(said->what));
        if (answers)
            return true;
    }
    return false;
}

/// Cancel, grace, terminate, grace, kill.
tl::unexpected<Error> WorkerClient::giveUp(const Request& request)
{
    const bool asked = request.id > 0
        && m_transport->send(encodeRequest({++m_lastId, "cancel", cancelParams(request.id)}));
    if (!asked || !awaitAnswer(request.id, m_limits.cancelGrace))
        end();
    return JobContext::cancelledError();
}

Result<WorkerClient> WorkerClient::greet(
    std::unique_ptr<WorkerTransport> transport, JobContext& job, WorkerLimits limits)
{
    WorkerClient client(std::move(transport), limits);
    Request request;
    request.job = &job;
    request.deadline = Clock::now() + limits.hello;
    auto said = client.nextMessage(request);
    if (!said)
        return tl::unexpected(std::move(said.error()));
    auto* hello = std::get_if<WorkerHello>(&said->what);
    if (hello == nullptr || said->protocol != kProtocolVersion) {
        client.end();
        return mismatch(hello == nullptr
                ? std::string("The worker does not begin with a hello.")
                : fmt::format("The worker speaks protocol {}, this program speaks {}.",
                    said->protocol, kProtocolVersion));
    }
    client.m_hello = std::move(*hello);
    return client;
}

WorkerClient::~WorkerClient()
{
    if (!m_transport)
        return;
    if (m_transport->send(encodeRequest({++m_lastId, "shutdown", "{}"})))
        static_cast<void>(awaitAnswer(m_lastId, m_limits.terminateGrace));
    m_transport.reset();
}

Result<JsonValue> WorkerClient::request(
    std::string_view method, std::string paramsJson, WorkerEvents& events, JobContext& job)
{
    if (!m_transport)
        return fail(ErrorCode::WorkerCrashed, "The worker is gone.", "Start it again.");
    Request request;
    request.id = ++m_lastId;
    request.method = method;
    request.events = &events;
    request.job = &job;
    const auto sent
        = m_transport->send(encodeRequest({request.id, request.method, std::move(paramsJson)}));
    if (!sent)
        return tl::unexpected(deathOf(fmt::format("before {}", method)));
    for (;;) {
        auto said = nextMessage(request);
        if (!said)
            return tl::unexpected(std::move(said.error()));
        if (said->id && *said->id != request.id)
            continue;  // the late answer of a request that was given up
        if (auto* result = std::get_if<WorkerResult>(&said->what))
            return std::move(result->content);
        if (auto* error = std::get_if<Error>(&said->what))
            return tl::unexpected(std::move(*error));
        if (const auto* progress = std::get_if<WorkerProgress>(&said->what))
            events.progress(*progress);
        const auto* finding = std::get_if<WorkerFinding>(&said->what);
        const auto taken = finding != nullptr ? events.finding(finding->content) : Result<void>();
        if (!taken) {
            end();
            return tl::unexpected(taken.error());
        }
    }
}

}  // namespace firstbad::core
