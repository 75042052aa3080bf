// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/worker_message.h"
#include "tests/support/catch.h"

using namespace firstbad::core;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a hello is the line that contracts.md 8 fixes", "[core][protocol]")
{
    WorkerHello hello{
        "0.1.0", "2.15.0", std::nullopt, {{"cpu", "a \"CPU\"", 17, {"fp32", "fp16"}}}, {}};
    CHECK(encodeHello(hello)
        == R"({"hello":{"protocol":1,"version":"0.1.0","libtorch":"2.15.0","cuda":null,)"
           R"("devices":[{"id":"cpu","name":"a \"CPU\"","memory_bytes":17,"dtypes":["fp32","fp16"]}],)"
           R"("families":[]}})");

    hello.cuda = WorkerCuda{13020};
    CHECK_THAT(encodeHello(hello), ContainsSubstring(R"("cuda":{"driver":13020})"));
}

TEST_CASE("a request keeps its id, method and parameters", "[core][protocol]")
{
    const auto request
        = parseRequest(R"({"id":7,"method":"sweep","params":{"when":"nonfinite","limit":NaN}})");
    REQUIRE(request);
    CHECK(request->id == 7);
    CHECK(request->method == "sweep");
    CHECK(request->paramsJson == R"({"when":"nonfinite","limit":NaN})");

    const auto bare = parseRequest(R"({"id":8,"method":"shutdown"})");
    REQUIRE(bare);
    CHECK(bare->paramsJson == "{}");
}

TEST_CASE("a line that is no request is Malformed and says why", "[core][protocol]")
{
    struct Case {
        const char* line;
        const char* why;
    };
    const auto c = GENERATE(values<Case>({
        {"", "empty"},
        {"sweep", "byte 0"},
        {"[1]", "not a JSON object"},
        {R"({"method":"sweep"})", "\"id\""},
        {R"({"id":1.5,"method":"sweep"})", "\"id\""},
        {R"({"id":1})", "\"method\""},
        {R"({"id":1,"method":"sweep","params":[]})", "\"params\""},
    }));
    CAPTURE(c.line);
    const auto request = parseRequest(c.line);
    REQUIRE_FALSE(request);
    CHECK(request.error().code == ErrorCode::Malformed);
    CHECK_THAT(request.error().message, ContainsSubstring(c.why));
}

TEST_CASE("a deeply nested or overlong request is refused, not followed", "[core][protocol]")
{
    CHECK_FALSE(parseRequest(std::string(1'000'000, '[')));
    CHECK_FALSE(parseRequest(std::string(kMaxProtocolLineBytes + 1, ' ')));
    std::string deep = R"({"id":1,"method":"sweep","params":{"a":)";
    deep += std::string(400'000, '[') + std::string(400'000, ']') + "}}";
    CHECK_FALSE(parseRequest(deep));
}

TEST_CASE("an error names the request it answers, or null", "[core][protocol]")
{
    const Error error{ErrorCode::Unsupported, "No.", {}, {}, "Do this."};
    CHECK(encodeError(3, error)
        == R"({"id":3,"error":{"code":"unsupported","message":"No.","hint":"Do this."}})");
    CHECK_THAT(encodeError(std::nullopt, error), ContainsSubstring(R"("id":null)"));
    CHECK(encodeResult(3, R"({"a":1})") == R"({"id":3,"result":{"a":1}})");
}
