// SPDX-License-Identifier: GPL-3.0-or-later
// Command: one word of the terminal program, and the table of all of them.
//
// Adding one: a file pair <name>_command.{h,cpp} and one line in command_table.cpp. Help,
// completion, the man page and the contract test derive from the table.
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/present/text/text_style.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace firstbad::cli {

/// contracts.md 2.
enum class ExitStatus : int {
    Nothing = 0,
    Error = 1,
    Usage = 2,
    Found = 3,
    Damaged = 4,
    Refused = 5,
    Cancelled = 130,
};

/// What every command may use: global options, and what the terminal can show.
struct Environment {
    std::string casePath;  ///< -C or FIRSTBAD_CASE; empty: walk up from the current folder
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    core::TextStyle style;
};

/// What a command answers: text for people, or the JSON of `result`.
struct Answer {
    std::string text;  ///< for stdout without --json
    std::string resultJson;  ///< value of "result" with --json
    core::Diagnostics diagnostics;
    ExitStatus status = ExitStatus::Nothing;
};

/// One execution of a command: options are parsed into it, then it runs once.
class CommandRun
{
public:
    CommandRun() = default;
    CommandRun(const CommandRun&) = delete;
    CommandRun& operator=(const CommandRun&) = delete;
    virtual ~CommandRun() = default;

    virtual void addOptions(CLI::App& app) = 0;
    [[nodiscard]] virtual core::Result<Answer> run(
        const Environment& environment, core::JobContext& job)
        = 0;
};

struct Command {
    std::string_view name;
    std::string_view arguments;  ///< as in a usage line: "PATH..."
    std::string_view summary;  ///< one line
    std::string_view help;  ///< a paragraph or two
    std::string_view examples;  ///< lines "command  # what it does"
    std::unique_ptr<CommandRun> (*make)() = nullptr;
};

[[nodiscard]] std::span<const Command> commandTable() noexcept;

/// nullptr when there is no such command.
[[nodiscard]] const Command* findCommand(std::string_view name) noexcept;

}  // namespace firstbad::cli
