// SPDX-License-Identifier: GPL-3.0-or-later
// The client against a real process that misbehaves.
#include "core/worker/pipe_transport.h"
#include "core/worker/worker_client.h"
#include "core/worker/worker_location.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

#include <csignal>

using namespace firstbad::core;
using Catch::Matchers::ContainsSubstring;

namespace {

Result<WorkerClient> meet(const std::string& mode, JobContext& job, WorkerLimits limits = {})
{
    auto transport = startProcess(FIRSTBAD_FAKE_WORKER, {mode});
    REQUIRE(transport);
    return WorkerClient::greet(std::move(*transport), job, limits);
}

struct Probes : WorkerEvents {
    Result<void> finding(const JsonValue& finding) override
    {
        kinds.emplace_back(finding.find("kind")->asText());
        return {};
    }
    std::vector<std::string> kinds;
};

}  // namespace

TEST_CASE("a worker answers a request", "[core][worker]")
{
    JobContext job;
    auto client = meet("good", job);
    REQUIRE(client);
    CHECK(client->hello().families == std::vector<std::string>{"gpt2"});
    WorkerEvents events;
    for (int i = 0; i < 3; ++i) {
        const auto answer = client->request("sweep", R"({"capsule":"a"})", events, job);
        REQUIRE(answer);
        CHECK(answer->find("echo")->find("method")->asText() == "sweep");
    }
}

TEST_CASE("a worker that crashes is told with the end of its log", "[core][worker]")
{
    JobContext job;
    auto client = meet("crash", job);
    REQUIRE(client);
    WorkerEvents events;
    const auto answer = client->request("sweep", "{}", events, job);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().code == ErrorCode::WorkerCrashed);
    CHECK_THAT(answer.error().message, ContainsSubstring("signal 6"));
    CHECK_THAT(answer.error().message, ContainsSubstring("during sweep"));
    REQUIRE(answer.error().context.size() == 50);
    CHECK(answer.error().context.front() == "log line 11");
    CHECK(answer.error().context.back() == "log line 60");
    CHECK_FALSE(client->request("sweep", "{}", events, job));
}

TEST_CASE("what a worker proved before its death arrives", "[core][worker]")
{
    JobContext job;
    auto client = meet("die-midway", job);
    REQUIRE(client);
    Probes events;
    const auto answer = client->request("bisect", "{}", events, job);
    REQUIRE_FALSE(answer);
    CHECK_THAT(answer.error().message, ContainsSubstring("status 7"));
    CHECK(events.kinds == std::vector<std::string>{"probe"});
}

TEST_CASE("garbage and floods end the worker with a sentence", "[core][worker]")
{
    const auto c = GENERATE(values<std::pair<const char*, const char*>>(
        {{"garbage", "not of the protocol"}, {"flood", "1 MiB"}}));
    JobContext job;
    auto client = meet(c.first, job);
    REQUIRE(client);
    WorkerEvents events;
    const auto answer = client->request("sweep", "{}", events, job);
    REQUIRE_FALSE(answer);
    CHECK_THAT(answer.error().message, ContainsSubstring(c.second));
    CHECK_FALSE(client->request("sweep", "{}", events, job));
}

TEST_CASE("a worker of another version, a mute one and one that cannot start are refused",
    "[core][worker]")
{
    JobContext job;
    WorkerLimits limits;
    limits.hello = std::chrono::milliseconds(200);
    limits.terminateGrace = std::chrono::milliseconds(200);
    const auto old = meet("old", job, limits);
    REQUIRE_FALSE(old);
    CHECK(old.error().code == ErrorCode::ProtocolMismatch);
    CHECK_THAT(old.error().message, ContainsSubstring("protocol 0"));
    const auto mute = meet("mute", job, limits);
    REQUIRE_FALSE(mute);
    CHECK(mute.error().code == ErrorCode::ProtocolMismatch);
    const auto dead = meet("no-start", job);
    REQUIRE_FALSE(dead);
    CHECK(dead.error().code == ErrorCode::WorkerCrashed);
    CHECK_THAT(dead.error().message, ContainsSubstring("cannot load libtorch_cpu.so"));
}

TEST_CASE(
    "a cancelled request ends within the grace, and an obedient worker lives on", "[core][worker]")
{
    std::stop_source stop;
    JobContext job(stop.get_token());
    WorkerLimits limits;
    limits.cancelGrace = std::chrono::milliseconds(300);
    limits.terminateGrace = std::chrono::milliseconds(300);
    const auto* mode = GENERATE("hang", "obedient");
    CAPTURE(mode);
    auto client = meet(mode, job, limits);
    REQUIRE(client);
    stop.request_stop();
    WorkerEvents events;
    const auto answer = client->request("sweep", "{}", events, job);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().code == ErrorCode::Cancelled);
    JobContext again;
    const auto later = client->request("shutdown", "{}", events, again);
    CHECK(later.has_value() == (std::string(mode) == "obedient"));
}

TEST_CASE("a program that is not there is NotFound", "[core][worker]")
{
    const auto transport = startProcess("/nonexistent/firstbad-worker");
    REQUIRE_FALSE(transport);
    CHECK(transport.error().code == ErrorCode::NotFound);
}

TEST_CASE("the worker is looked for beside the program and in libexec", "[core][worker]")
{
    const auto places = workerPlaces("/opt/firstbad/bin/firstbad");
    REQUIRE(places.size() >= 2);
    CHECK(places[0] == "/opt/firstbad/bin/firstbad-worker");
    CHECK(places[1].lexically_normal() == "/opt/firstbad/libexec/firstbad/firstbad-worker");
}
