// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "tests/contract/cli/json_check.h"
#include "tests/contract/cli/program_run.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace firstbad;
using test::documentOf;
using test::runFirstbad;

TEST_CASE("every command of the table has help, by both ways, with its options", "[contract][cli]")
{
    REQUIRE(cli::commandTable().size() >= 3);
    for (const cli::Command& command : cli::commandTable()) {
        const std::string name(command.name);
        CAPTURE(name);
        CHECK_FALSE(command.summary.empty());
        CHECK_FALSE(command.help.empty());
        CHECK_FALSE(command.examples.empty());
        const auto byHelp = runFirstbad({"help", name});
        const auto byFlag = runFirstbad({name, "--help"});
        CHECK(byHelp.status == 0);
        CHECK(byFlag.status == 0);
        CHECK(byHelp.out == byFlag.out);
        CHECK(byHelp.err.empty());
        CHECK(byHelp.out.find("usage: firstbad " + name) != std::string::npos);
        CHECK(byHelp.out.find("--json") != std::string::npos);
    }
}

TEST_CASE("an unknown option is wrong usage for every command", "[contract][cli]")
{
    for (const cli::Command& command : cli::commandTable()) {
        CAPTURE(command.name);
        const auto run = runFirstbad({std::string(command.name), "--no-such-option"});
        CHECK(run.status == 2);
        CHECK(run.out.empty());
        CHECK(run.err.rfind("firstbad: ", 0) == 0);
    }
}

TEST_CASE("an unknown command is wrong usage, and the nearest one is suggested", "[contract][cli]")
{
    const auto run = runFirstbad({"hlep"});
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    CHECK(run.err.find("Did you mean: firstbad help") != std::string::npos);
    CHECK(runFirstbad({}).status == 2);
    CHECK(runFirstbad({"--json"}).status == 2);
    CHECK(runFirstbad({"help", "no-such-command-at-all"}).status == 1);
}

TEST_CASE("global options stand before or after the command", "[contract][cli]")
{
    const auto before = runFirstbad({"--json", "-C", "/nowhere", "help"});
    const auto after = runFirstbad({"help", "--json", "-C", "/nowhere"});
    CHECK(before.status == 0);
    CHECK(before.out == after.out);
    const auto document = documentOf(after.out, "help");
    CHECK(document["result"]["commands"].Size() == cli::commandTable().size());
    CHECK(runFirstbad({"-q", "-v", "help"}).status == 2);
}

TEST_CASE("--version prints one line", "[contract][cli]")
{
    const auto run = runFirstbad({"--version"});
    CHECK(run.status == 0);
    CHECK(run.out.rfind("firstbad ", 0) == 0);
    CHECK(std::count(run.out.begin(), run.out.end(), '\n') == 1);
}

TEST_CASE("a closed stdout is an error with a sentence", "[contract][cli]")
{
    test::RunOptions options;
    options.closeStdout = true;
    const auto run = runFirstbad({"help"}, options);
    CHECK(run.status == 1);
    CHECK(run.err.find("cannot be written") != std::string::npos);
}

TEST_CASE("completion scripts name every command and option", "[contract][cli]")
{
    const std::string shell = GENERATE("bash", "zsh", "fish");
    const auto run = runFirstbad({"completion", shell});
    REQUIRE(run.status == 0);
    for (const cli::Command& command : cli::commandTable())
        CHECK(run.out.find(command.name) != std::string::npos);
    CHECK(run.out.find("self-test") != std::string::npos);
    CHECK(runFirstbad({"completion", "tcsh"}).status == 2);
}

TEST_CASE("the man page has a section for every command", "[contract][cli]")
{
    const auto run = runFirstbad({"help", "--man"});
    REQUIRE(run.status == 0);
    CHECK(run.out.rfind(".TH FIRSTBAD 1", 0) == 0);
    for (const cli::Command& command : cli::commandTable())
        CHECK(run.out.find(".SS \"firstbad " + std::string(command.name)) != std::string::npos);
}

TEST_CASE("no escape sequence is written to a pipe or with NO_COLOR", "[contract][cli]")
{
    for (const cli::Command& command : cli::commandTable())
        CHECK(
            runFirstbad({"help", std::string(command.name)}).out.find('\x1b') == std::string::npos);
}

TEST_CASE("the self-test passes on this build", "[contract][cli]")
{
    const auto run = runFirstbad({"doctor", "--self-test", "--json"});
    CHECK(run.status == 0);
    const auto document = documentOf(run.out, "doctor");
    REQUIRE(document["result"]["checks"].Size() >= 4);
    for (const auto& check : document["result"]["checks"].GetArray())
        CHECK(check["passed"].GetBool());
}
