// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/program.h"

#include "app/cli/command_line.h"
#include "app/cli/help_text.h"
#include "app/cli/job_watch.h"
#include "app/cli/nearest.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/present/json/document_json.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <unistd.h>

namespace firstbad::cli {
namespace {

void say(std::string_view text)
{
    [[maybe_unused]] const auto written = writeAll(STDERR_FILENO, text);
}

int usageError(std::string_view message, std::string_view hint)
{
    say(fmt::format("firstbad: {}\nhint: {}\n", core::escapedForTerminal(message), hint));
    return static_cast<int>(ExitStatus::Usage);
}

int printResult(std::string_view text, ExitStatus status)
{
    const auto written = writeAll(STDOUT_FILENO, text);
    if (written)
        return static_cast<int>(status);
    say(fmt::format("firstbad: {}\n", written.error().message));
    return static_cast<int>(ExitStatus::Error);
}

int unknownCommand(const std::string& word)
{
    std::vector<std::string> names;
    for (const Command& command : commandTable())
        names.emplace_back(command.name);
    const auto meant = nearest(word, names);
    return usageError(fmt::format("There is no command '{}'.", word),
        meant ? fmt::format("Did you mean: firstbad {}", *meant)
              : "firstbad help lists the commands.");
}

Environment makeEnvironment(const GlobalOptions& options)
{
    Environment environment;
    environment.casePath = options.casePath;
    environment.json = options.json;
    environment.quiet = options.quiet;
    environment.verbose = options.verbose;
    environment.style = detectStyle(!options.noColour);
    return environment;
}

void sayError(const core::Error& error, bool verbose)
{
    say(fmt::format("firstbad: {}\n", core::escapedForTerminal(error.message)));
    if (verbose) {
        for (const std::string& context : error.context)
            say(fmt::format("  while {}\n", core::escapedForTerminal(context)));
    }
    if (!error.hint.empty())
        say(fmt::format("hint: {}\n", core::escapedForTerminal(error.hint)));
}

void sayDiagnostics(const core::Diagnostics& diagnostics, const Environment& environment)
{
    constexpr std::size_t kMostSaid = 5;
    if (environment.quiet || environment.json)
        return;
    std::size_t said = 0;
    std::size_t left = 0;
    for (const core::Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity == core::Severity::Info && !environment.verbose)
            continue;
        if (said == kMostSaid && !environment.verbose) {
            ++left;
            continue;
        }
        say(fmt::format("firstbad: {}: {}\n", toString(diagnostic.severity),
            core::escapedForTerminal(diagnostic.message)));
        ++said;
    }
    if (left > 0)
        say(fmt::format("firstbad: {} more like these, shown with -v\n", left));
}

core::Result<Answer> runGuarded(
    CommandRun& command, const Environment& environment, core::JobContext& job)
{
    try {
        return command.run(environment, job);
    } catch (const std::bad_alloc&) {
        return core::fail(core::ErrorCode::OutOfMemory, "There is not enough memory for this.",
            "Name fewer paths, or use a machine with more memory.");
    } catch (const std::exception& error) {
        return core::fail(core::ErrorCode::Internal,
            fmt::format("firstbad itself failed: {}.", error.what()),
            "This is a bug; please report it with the command that you ran.");
    }
}

int finish(
    const Command& command, const core::Result<Answer>& answer, const Environment& environment)
{
    if (!answer) {
        if (answer.error().code == core::ErrorCode::Cancelled) {
            say("firstbad: cancelled\n");
            return static_cast<int>(ExitStatus::Cancelled);
        }
        sayError(answer.error(), environment.verbose);
        const ExitStatus status = ExitStatus::Error;
        if (!environment.json)
            return static_cast<int>(status);
        return printResult(core::errorDocumentJson(command.name, answer.error()), status);
    }
    if (answer->status == ExitStatus::Usage && !answer->diagnostics.empty())
        return usageError(answer->diagnostics.front().message,
            fmt::format("firstbad help {} shows how it is used.", command.name));
    sayDiagnostics(answer->diagnostics, environment);
    if (environment.json)
        return printResult(
            core::documentJson(command.name, answer->resultJson, answer->diagnostics),
            answer->status);
    return printResult(answer->text, answer->status);
}

int runCommand(const Command& command, const std::vector<std::string>& arguments, std::size_t word)
{
    GlobalOptions options;
    const std::unique_ptr<CommandRun> run = command.make();
    const auto parser = makeParser(options, run.get());
    if (const auto error = parseArguments(*parser, arguments, word))
        return usageError(
            error->message, fmt::format("firstbad help {} shows how it is used.", command.name));
    const Environment environment = makeEnvironment(options);
    if (options.help)
        return printResult(commandHelpText(command, environment.style), ExitStatus::Nothing);
    if (options.version)
        return printResult(versionLine(), ExitStatus::Nothing);
    core::Result<Answer> answer;
    {
        JobWatch watch(!options.quiet && isTerminal(STDERR_FILENO));
        core::JobContext job = watch.context();
        answer = runGuarded(*run, environment, job);
    }
    return finish(command, answer, environment);
}

int runWithoutCommand(const std::vector<std::string>& arguments)
{
    GlobalOptions options;
    const auto parser = makeParser(options, nullptr);
    if (const auto error = parseArguments(*parser, arguments, std::nullopt))
        return usageError(error->message, "firstbad help lists the commands.");
    if (options.version)
        return printResult(versionLine(), ExitStatus::Nothing);
    const core::TextStyle style = detectStyle(!options.noColour);
    if (options.help)
        return printResult(overviewText(style), ExitStatus::Nothing);
    say(overviewText({core::Palette::None, style.unicode, style.columns}));
    return static_cast<int>(ExitStatus::Usage);
}

}  // namespace

int runProgram(const std::vector<std::string>& arguments)
{
    std::signal(SIGPIPE, SIG_IGN);  // writeAll() sees EPIPE instead
    const auto word = findCommandWord(arguments);
    if (!word)
        return runWithoutCommand(arguments);
    const Command* command = findCommand(arguments[*word]);
    if (command == nullptr)
        return unknownCommand(arguments[*word]);
    return runCommand(*command, arguments, *word);
}

}  // namespace firstbad::cli
