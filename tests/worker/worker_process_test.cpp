// SPDX-License-Identifier: GPL-3.0-or-later
// The real firstbad-worker as a process: what it says first, and that each request gets one answer.
#include "tests/support/catch.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using Catch::Matchers::ContainsSubstring;

struct Talk {
    int exitStatus = -1;
    std::vector<std::string> lines;
};

/// Starts a worker, writes `input` to it, closes its input and reads until it ends.
Talk talk(const std::string& input)
{
    std::string path = "worker_process_XXXXXX";
    const int descriptor = mkstemp(path.data());
    REQUIRE(descriptor >= 0);
    close(descriptor);
    std::ofstream(path, std::ios::binary) << input;

    Talk result;
    std::FILE* pipe = popen(("'" FIRSTBAD_WORKER "' <" + path + " 2>/dev/null").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string line;
    for (int byte = std::fgetc(pipe); byte != EOF; byte = std::fgetc(pipe)) {
        if (byte == '\n')
            result.lines.push_back(std::exchange(line, {}));
        else
            line.push_back(static_cast<char>(byte));
    }
    result.exitStatus = WEXITSTATUS(pclose(pipe));
    std::remove(path.c_str());
    return result;
}

}  // namespace

TEST_CASE("the worker greets with its protocol, libraries and devices", "[worker]")
{
    const auto result = talk("");
    CHECK(result.exitStatus == 0);
    REQUIRE(result.lines.size() == 1);
    CHECK_THAT(result.lines[0], ContainsSubstring(R"({"hello":{"protocol":1,)"));
    CHECK_THAT(result.lines[0], ContainsSubstring(R"("libtorch":"2.)"));
    CHECK_THAT(result.lines[0], ContainsSubstring(R"({"id":"cpu")"));
    CHECK_THAT(result.lines[0], ContainsSubstring(R"("fp32")"));
}

TEST_CASE("the worker answers each request once, in order, and ends on shutdown", "[worker]")
{
    const auto result = talk("{\"id\":4,\"method\":\"sweep\",\"params\":{}}\n"
                             "rubbish\n"
                             "{\"id\":5,\"method\":\"dance\"}\n"
                             "{\"id\":6,\"method\":\"cancel\"}\n"
                             "{\"id\":7,\"method\":\"shutdown\"}\n"
                             "{\"id\":8,\"method\":\"sweep\"}\n");
    CHECK(result.exitStatus == 0);
    REQUIRE(result.lines.size() == 6);
    CHECK_THAT(result.lines[1], ContainsSubstring(R"({"id":4,"error":{"code":"invalid-argument")"));
    CHECK_THAT(result.lines[2], ContainsSubstring(R"({"id":null,"error":{"code":"malformed")"));
    CHECK_THAT(result.lines[3], ContainsSubstring(R"({"id":5,"error":{"code":"invalid-argument")"));
    CHECK_THAT(result.lines[4], ContainsSubstring(R"({"id":6,"error":{"code":"not-found")"));
    CHECK(result.lines[5] == R"({"id":7,"result":{}})");
}

TEST_CASE("the worker refuses a line over 1 MiB and goes on", "[worker]")
{
    const auto result = talk(std::string(3 << 20, 'x') + "\n{\"id\":1,\"method\":\"shutdown\"}");
    REQUIRE(result.lines.size() == 3);
    CHECK_THAT(result.lines[1], ContainsSubstring("longer than 1 MiB"));
    CHECK(result.lines[2] == R"({"id":1,"result":{}})");
}
