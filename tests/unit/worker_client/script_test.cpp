// SPDX-License-Identifier: GPL-3.0-or-later
// The client against a script in memory: order of messages, silence, late answers.
#include "core/worker/replay_client.h"
#include "core/worker/worker_client.h"
#include "tests/support/catch.h"

#include <deque>

using namespace firstbad::core;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Says its lines one after the other; an empty line is silence. Keeps what it was sent.
class ScriptTransport : public WorkerTransport
{
public:
    ScriptTransport(std::deque<std::string> lines, std::vector<std::string>& sent)
        : m_lines(std::move(lines))
        , m_sent(sent)
    { }

    Result<void> send(std::string_view line) override
    {
        m_sent.emplace_back(line);
        return {};
    }
    Received receive(std::chrono::milliseconds) override
    {
        if (m_lines.empty())
            return {Received::Kind::Closed, {}};
        std::string line = std::move(m_lines.front());
        m_lines.pop_front();
        if (line.empty())
            return {};
        return {Received::Kind::Line, std::move(line)};
    }
    void terminate() override { m_sent.emplace_back("TERM"); }
    void kill() override { m_sent.emplace_back("KILL"); }
    std::vector<std::string> lastLog() override { return {"the log"}; }
    std::string howItEnded() override { return "ended with status 3"; }

private:
    std::deque<std::string> m_lines;
    std::vector<std::string>& m_sent;
};

const std::string kHello = encodeHello({"0.1.0", "2.15.0", {}, {}, {"gpt2"}});

struct Talk {
    std::vector<std::string> sent;
    JobContext job;

    Result<WorkerClient> meet(std::deque<std::string> lines, WorkerLimits limits = {})
    {
        return WorkerClient::greet(
            std::make_unique<ScriptTransport>(std::move(lines), sent), job, limits);
    }
};

struct Counter : WorkerEvents {
    void progress(const WorkerProgress&) override { ++progressed; }
    void silent(std::chrono::seconds) override { ++silences; }
    int progressed = 0;
    int silences = 0;
};

}  // namespace

TEST_CASE(
    "progress is passed on, and the answer of an older request is passed over", "[core][worker]")
{
    Talk talk;
    auto client
        = talk.meet({kHello, encodeResult(0, R"({"old":1})"), encodeProgress(1, "forward", 1, 4),
            encodeProgress(1, "forward", 2, 4), encodeResult(1, R"({"new":1})")});
    REQUIRE(client);
    Counter events;
    const auto answer = client->request("sweep", R"({"capsule":"c"})", events, talk.job);
    REQUIRE(answer);
    CHECK(answer->find("new") != nullptr);
    CHECK(events.progressed == 2);
    CHECK(talk.sent.front() == R"({"id":1,"method":"sweep","params":{"capsule":"c"}})");
}

TEST_CASE("silence is told and does not end the request", "[core][worker]")
{
    Talk talk;
    WorkerLimits limits;
    limits.silence = std::chrono::milliseconds(-1);
    auto client = talk.meet({kHello, "", "", encodeResult(1, "{}")}, limits);
    REQUIRE(client);
    Counter events;
    CHECK(client->request("sweep", "{}", events, talk.job));
    CHECK(events.silences == 2);
}

TEST_CASE("the worker's own error is passed on as it is", "[core][worker]")
{
    Talk talk;
    auto client = talk.meet({kHello,
        encodeError(1, {ErrorCode::Unsupported, "The family is unknown.", {}, {}, "Use gpt2."})});
    REQUIRE(client);
    Counter events;
    const auto answer = client->request("sweep", "{}", events, talk.job);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().code == ErrorCode::Unsupported);
    CHECK(answer.error().message == "The family is unknown.");
    CHECK(answer.error().hint == "Use gpt2.");
}

TEST_CASE("more than any answer needs is a flood", "[core][worker]")
{
    Talk talk;
    WorkerLimits limits;
    limits.answerBytes = 500;
    limits.terminateGrace = std::chrono::milliseconds(0);
    std::deque<std::string> lines{kHello};
    for (int i = 0; i < 100; ++i)
        lines.push_back(encodeProgress(1, "forward", 1, 4));
    auto client = talk.meet(std::move(lines), limits);
    REQUIRE(client);
    Counter events;
    const auto answer = client->request("sweep", "{}", events, talk.job);
    REQUIRE_FALSE(answer);
    CHECK_THAT(answer.error().message, ContainsSubstring("floods"));
    CHECK(talk.sent.back() == "KILL");
}

TEST_CASE("a talk that does not begin with a hello is refused", "[core][worker]")
{
    Talk talk;
    const auto client = talk.meet({encodeResult(1, "{}")});
    REQUIRE_FALSE(client);
    CHECK(client.error().code == ErrorCode::ProtocolMismatch);
}

TEST_CASE("a replay that dies keeps the probes and cells that came", "[core][worker]")
{
    Talk talk;
    const ReplayCell cell{"", 0, -1, "embedding", CellState::Finite, 0, 0, 0, 1.0, false};
    auto client = talk.meet({kHello, encodeFinding(1, probeFinding({"blocks.3", "bad", 4, ""})),
        encodeFinding(1, cellFindings("forward", {cell}).front())});
    REQUIRE(client);
    ReplayClient replay(std::move(*client));
    ReplayRequest request;
    request.capsule = "c";
    const auto result = replay.run("bisect", request, talk.job);
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::WorkerCrashed);
    REQUIRE(replay.partial().steps.size() == 1);
    CHECK(replay.partial().steps[0].probe == "blocks.3");
    CHECK(replay.partial().lanes.forward->size() == 1);
}
