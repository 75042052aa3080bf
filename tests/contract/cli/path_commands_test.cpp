// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "tests/contract/cli/json_check.h"
#include "tests/contract/cli/program_run.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace firstbad;
using test::documentOf;
using test::runFirstbad;

namespace {

/// Commands of the table that read paths and take them as their first words.
std::vector<std::string> pathCommands()
{
    std::vector<std::string> names;
    for (const cli::Command& command : cli::commandTable()) {
        const bool takesWordFirst = command.arguments.find('|') != std::string_view::npos;
        if (command.arguments.find("PATH") != std::string_view::npos && command.name != "add"
            && !takesWordFirst)
            names.emplace_back(command.name);
    }
    return names;
}

std::string writeFile(const test::TempFolder& folder, const char* name, const std::string& text)
{
    const std::string path = (folder.path() / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

std::string cleanLog(int steps)
{
    std::string text;
    for (int step = 1; step <= steps; ++step)
        text += R"({"step": )" + std::to_string(step) + R"(, "loss": )"
            + std::to_string(2.0 - 0.001 * step) + "}\n";
    return text;
}

}  // namespace

TEST_CASE("a path that is not there is an error with a document", "[contract][cli]")
{
    for (const std::string& command : pathCommands()) {
        CAPTURE(command);
        const auto text = runFirstbad({command, "/no/such/path"});
        CHECK(text.status == 1);
        CHECK(text.out.empty());
        CHECK(text.err.find("/no/such/path") != std::string::npos);
        const auto json = runFirstbad({command, "/no/such/path", "--json"});
        CHECK(json.status == 1);
        const auto document = documentOf(json.out, command);
        CHECK(document["result"].IsNull());
        CHECK(document["diagnostics"].Size() == 1);
    }
}

TEST_CASE("a file without permission is an error", "[contract][cli]")
{
    if (::geteuid() == 0) {
        WARN("skipped: the superuser may read everything");
        return;
    }
    const test::TempFolder folder;
    const std::string path = writeFile(folder, "train.jsonl", cleanLog(5));
    std::filesystem::permissions(path, std::filesystem::perms::none);
    for (const std::string& command : pathCommands())
        CHECK(runFirstbad({command, path}).status == 1);
}

TEST_CASE("a clean log is exit 0 and a value that is not finite is exit 3", "[contract][cli]")
{
    const test::TempFolder folder;
    const std::string clean = writeFile(folder, "clean.jsonl", cleanLog(40));
    const std::string bad
        = writeFile(folder, "bad.jsonl", cleanLog(40) + "{\"step\": 41, \"loss\": NaN}\n");
    const auto good = runFirstbad({"series", clean, "--json"});
    CHECK(good.status == 0);
    const auto document = documentOf(good.out, "series");
    CHECK(document["result"]["series"][0]["points"].GetInt() == 40);
    const auto found = runFirstbad({"series", "loss", bad, "--json"});
    CHECK(found.status == 3);
    CHECK(found.out.find("\"NaN\"") != std::string::npos);
    CHECK(documentOf(found.out, "series")["result"]["series"][0]["nan"].GetInt() == 1);
    CHECK(runFirstbad({"series", "loss", bad, "--to", "40"}).status == 0);
    CHECK(runFirstbad({"series", "los", bad, "--csv"}).out.find(",41,,NaN\n") != std::string::npos);
}

TEST_CASE(
    "a file that nothing recognises is exit 4, and -q says nothing about it", "[contract][cli]")
{
    const test::TempFolder folder;
    std::string rubbish;
    for (int i = 0; i < 5000; ++i)
        rubbish += static_cast<char>((i * 7919 + 13) & 0xFF);
    const std::string path = writeFile(folder, "rubbish.dat", rubbish);
    const auto run = runFirstbad({"series", path, "--json"});
    CHECK(run.status == 4);
    CHECK(documentOf(run.out, "series")["result"]["series"].Empty());
    CHECK(runFirstbad({"-q", "series", path}).err.empty());
}

TEST_CASE("names from files cannot command the terminal", "[contract][cli]")
{
    const test::TempFolder folder;
    const std::string path = writeFile(folder, "train.jsonl",
        "{\"step\": 1, \"a\\u001b[2Jloss\": 1.0}\n{\"step\": 2, \"a\\u001b[2Jloss\": 1.5}\n");
    for (const std::string& command : pathCommands())
        CHECK(runFirstbad({command, path}).out.find('\x1b') == std::string::npos);
}

TEST_CASE("Ctrl-C cancels within 100 ms with exit 130 and no document", "[contract][cli]")
{
    const test::TempFolder folder;
    const std::string path = writeFile(folder, "train.jsonl", cleanLog(6'000'000));
    using Clock = std::chrono::steady_clock;
    double fastestMs = 1e9;
    for (int attempt = 0; attempt < 3; ++attempt) {
        Clock::time_point interrupted;
        test::RunOptions options;
        options.whileRunning = [&](int pid) {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));  // until it is reading
            interrupted = Clock::now();
            ::kill(pid, SIGINT);
        };
        const auto run = runFirstbad({"series", path, "--json"}, options);
        const std::chrono::duration<double, std::milli> took = Clock::now() - interrupted;
        fastestMs = std::min(fastestMs, took.count());
        REQUIRE(run.status == 130);
        CHECK(run.out.empty());
        CHECK(run.err.find("cancelled") != std::string::npos);
    }
    CHECK(fastestMs < 100.0 + 100.0);  // the rest is the end of the process on a busy machine
}
