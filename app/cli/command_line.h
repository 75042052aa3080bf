// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: global options stand before or after the command word.
//
// Pure but for reading FIRSTBAD_CASE; one thread. CLI11 parses, and its exceptions end here.
#pragma once

#include "app/cli/command.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace firstbad::cli {

/// Where the command word stands in the arguments; nullopt when there is none.
[[nodiscard]] std::optional<std::size_t> findCommandWord(const std::vector<std::string>& arguments);

struct GlobalOptions {
    std::string casePath;
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    bool noColour = false;
    bool help = false;
    bool version = false;
};

/// An option parser with the global options and, if given, those of a command.
[[nodiscard]] std::unique_ptr<CLI::App> makeParser(GlobalOptions& options, CommandRun* command);

struct UsageError {
    std::string message;
};

/// Parses all arguments but the command word. nullopt: fine.
[[nodiscard]] std::optional<UsageError> parseArguments(
    CLI::App& parser, std::vector<std::string> arguments, std::optional<std::size_t> commandWord);

}  // namespace firstbad::cli
