// SPDX-License-Identifier: GPL-3.0-or-later
// Help as text, made from the command table and from the options that each command declares.
//
// Pure; any thread.
#pragma once

#include "app/cli/command.h"

#include <string>
#include <vector>

namespace firstbad::cli {

[[nodiscard]] std::string versionLine();
[[nodiscard]] std::string overviewText(const core::TextStyle& style);
[[nodiscard]] std::string commandHelpText(const Command& command, const core::TextStyle& style);

struct OptionInfo {
    std::string names;  ///< "-C,--case"
    std::string value;  ///< name of its value; empty for a flag
    std::string text;
    std::vector<std::string> choices;
    bool positional = false;
    bool global = false;
};

/// The options of a command (nullptr: the global ones only), in the order of their declaration.
[[nodiscard]] std::vector<OptionInfo> optionsOf(const Command* command);

/// One row an exit status that every command may give.
struct StatusInfo {
    ExitStatus status;
    std::string_view text;
};
[[nodiscard]] std::span<const StatusInfo> statusTable() noexcept;

}  // namespace firstbad::cli
