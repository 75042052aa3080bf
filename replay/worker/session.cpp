// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/worker/session.h"

#include "core/base/json_writer.h"
#include "core/capsule/capsule.h"
#include "core/protocol/replay_codec.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace firstbad::replay {

namespace {

constexpr std::chrono::milliseconds kProgressEvery{250};

/// Says how far a request is, until it ends.
class ProgressTeller
{
public:
    ProgressTeller(std::int64_t id, const core::ProgressSink& sink, const Session::Say& say)
        : m_thread([id, &sink, say](const std::stop_token& stop) {
            std::mutex mutex;
            std::condition_variable_any wait;
            std::uint64_t said = 0;
            std::unique_lock lock(mutex);
            while (
                !wait.wait_for(lock, stop, kProgressEvery, [&] { return stop.stop_requested(); })) {
                const auto done = sink.done();
                if (done != std::exchange(said, done))
                    say(core::encodeProgress(id, sink.stage(), done, sink.total()));
            }
        })
    { }

private:
    std::jthread m_thread;
};

bool isModelMethod(std::string_view method)
{
    return std::find(core::kReplayMethods.begin(), core::kReplayMethods.end(), method)
        != core::kReplayMethods.end();
}

core::Result<void> checkDevice(const core::ReplayRequest& request)
{
    if (request.device == "cpu")
        return {};
    return core::fail(core::ErrorCode::Unsupported,
        fmt::format("A step cannot be replayed on the device \"{}\" yet.", request.device),
        "Replay on the device cpu.");
}

}  // namespace

Session::Session(core::WorkerHello hello, Say say)
    : m_hello(std::move(hello))
    , m_say(std::move(say))
{
    m_hello.families = replayFamilies();
}

void Session::say(const std::string& line)
{
    const std::lock_guard lock(m_sayMutex);
    m_say(line);
}

void Session::greet()
{
    say(core::encodeHello(m_hello));
}

void Session::offer(std::string line)
{
    const auto request = core::parseRequest(line);
    if (request && request->method == "cancel" && tryCancel(*request)) {
        say(core::encodeResult(request->id, "{}"));
        return;
    }
    const std::lock_guard lock(m_mutex);
    m_lines.push_back(std::move(line));
    m_wake.notify_one();
}

bool Session::tryCancel(const core::WorkerRequest& request)
{
    const auto target = core::cancelledId(request);
    const std::lock_guard lock(m_mutex);
    if (!target || m_running != target)
        return false;
    m_stop.request_stop();
    return true;
}

void Session::close()
{
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    m_wake.notify_one();
}

std::optional<std::string> Session::nextLine()
{
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return m_closed || !m_lines.empty(); });
    if (m_lines.empty())
        return std::nullopt;
    std::string line = std::move(m_lines.front());
    m_lines.pop_front();
    return line;
}

void Session::serve()
{
    while (!m_finished) {
        const auto line = nextLine();
        if (!line)
            return;
        answer(*line);
    }
}

void Session::answer(const std::string& line)
{
    const auto request = core::parseRequest(line);
    if (!request) {
        say(core::encodeError(std::nullopt, request.error()));
        return;
    }
    const auto result = run(*request);
    {
        const std::lock_guard lock(m_mutex);
        m_running.reset();
    }
    say(result ? core::encodeResult(request->id, *result)
               : core::encodeError(request->id, result.error()));
}

core::Result<std::string> Session::run(const core::WorkerRequest& request)
{
    if (request.method == "shutdown") {
        m_finished = true;
        return "{}";
    }
    if (request.method == "cancel")
        return core::fail(
            core::ErrorCode::NotFound, "No request is running that could be cancelled.");
    if (!isModelMethod(request.method))
        return core::fail(core::ErrorCode::InvalidArgument,
            fmt::format("The method \"{}\" is unknown.", request.method),
            "Protocol 1 has load, replay, sweep, bisect, probe, matrix, isolate, tensor, cancel, "
            "shutdown.");
    std::stop_token token;
    {
        const std::lock_guard lock(m_mutex);
        m_running = request.id;
        m_stop = std::stop_source();
        token = m_stop.get_token();
    }
    core::ProgressSink sink;
    core::JobContext job(token, &sink);
    const ProgressTeller teller(request.id, sink, [this](const std::string& text) { say(text); });
    return runModel(request, job);
}

core::Result<std::string> Session::runModel(
    const core::WorkerRequest& request, core::JobContext& job)
{
    const auto params = core::parseReplayRequest(request.paramsJson);
    if (!params)
        return tl::unexpected(params.error());
    if (auto usable = checkDevice(*params); !usable)
        return tl::unexpected(usable.error());
    if (auto loaded = load(*params, job); !loaded)
        return tl::unexpected(loaded.error());
    return ask(request.method, request.id, *params, job);
}

core::Result<void> Session::load(const core::ReplayRequest& request, core::JobContext& job)
{
    const std::string wanted = fmt::format(
        "{}|{}|{}", request.capsule, request.shownPath, request.memoryBytes.value_or(0));
    if (m_engine && m_loaded == wanted)
        return {};
    m_engine.reset();
    const auto capsule = core::readCapsule(request.capsule, request.shownPath);
    if (!capsule)
        return tl::unexpected(capsule.error());
    job.setStage("weights");
    auto engine = ReplayEngine::open(*capsule, request.memoryBytes.value_or(0), job);
    if (!engine)
        return tl::unexpected(engine.error());
    m_engine = std::make_unique<ReplayEngine>(std::move(*engine));
    m_loaded = wanted;
    return {};
}

EngineEvents Session::eventsFor(std::int64_t id)
{
    EngineEvents events;
    events.firstBad = [this, id](const core::ReplayPlace& place) {
        say(core::encodeFinding(id, core::firstBadFinding(place)));
    };
    events.probe = [this, id](const core::ProbeStep& step) {
        say(core::encodeFinding(id, core::probeFinding(step)));
    };
    events.cell = [this, id](const core::MatrixCell& cell) {
        say(core::encodeFinding(id, core::matrixCellFinding(cell)));
    };
    return events;
}

std::string Session::summary(std::int64_t id, const core::ReplayResult& result)
{
    for (const auto& lane : core::kReplayLanes) {
        const auto& cells = result.lanes.*lane.cells;
        if (!cells)
            continue;
        for (const auto& finding : core::cellFindings(lane.name, *cells))
            say(core::encodeFinding(id, finding));
    }
    return core::replaySummaryJson(result);
}

core::Result<std::string> Session::ask(std::string_view method, std::int64_t id,
    const core::ReplayRequest& request, core::JobContext& job)
{
    const EngineEvents events = eventsFor(id);
    const auto encoded = [](const auto& result, auto encode) -> core::Result<std::string> {
        if (!result)
            return tl::unexpected(result.error());
        return encode(*result);
    };
    const auto summarised = [&](const core::ReplayResult& result) { return summary(id, result); };
    if (method == "replay" || method == "sweep")
        return encoded(m_engine->sweep(request, events, job), summarised);
    if (method == "bisect")
        return encoded(m_engine->bisect(request, events, job), summarised);
    if (method == "matrix")
        return encoded(m_engine->matrix(request, events, job), core::matrixResultJson);
    if (method == "isolate")
        return encoded(m_engine->isolate(request, events, job), core::isolateResultJson);
    if (method == "probe")
        return encoded(m_engine->probe(request, events, job), core::probeResultJson);
    if (method == "tensor")
        return encoded(m_engine->tensor(request, events, job), core::tensorWindowJson);
    core::JsonWriter json;  // load
    json.beginObject();
    json.member("capsule", request.shownPath);
    json.endObject();
    return json.take();
}

}  // namespace firstbad::replay
