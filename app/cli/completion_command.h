// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad completion: the completion script of a shell, made from the command table.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeCompletionCommand();

inline constexpr Command kCompletionCommand{"completion", "SHELL",
    "Print the completion script for bash, zsh or fish",
    "An installation brings these scripts to where the shells look for them. Use this command "
    "where firstbad runs from its build folder.",
    "source <(firstbad completion bash)  # this shell\n"
    "firstbad completion fish | source",
    makeCompletionCommand};

}  // namespace firstbad::cli
