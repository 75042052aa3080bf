// SPDX-License-Identifier: GPL-3.0-or-later
// `firstbad isolate`: the smallest set of rows that still fails.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeIsolateCommand();

inline constexpr Command kIsolateCommand{
    "isolate",
    "CAPSULE",
    "Which samples make the step fail",
    "Finds the smallest sets of rows of the batch that still fail, pairs included, then the "
    "tokens, "
    "and says which samples they are.",
    "firstbad isolate step-33708.capsule  # rows, then tokens",
    makeIsolateCommand,
};

}  // namespace firstbad::cli
