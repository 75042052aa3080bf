// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad help: the overview, one command, or the man page.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeHelpCommand();

inline constexpr Command kHelpCommand{"help", "[COMMAND]",
    "Show what a command does and how it is used",
    "Without COMMAND, the list of commands, the global options and the exit statuses. With --man, "
    "the man page in roff, as it is installed.",
    "firstbad help incidents  # one command\n"
    "firstbad help --man | man -l -  # the man page",
    makeHelpCommand};

}  // namespace firstbad::cli
