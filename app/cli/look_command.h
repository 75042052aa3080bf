// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad look: whatever is there, what happened in it, and what to do next.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeLookCommand();

inline constexpr Command kLookCommand{"look", "PATH...",
    "Read whatever is there and say what happened",
    "The first command to run. Reads logs, event files, ledgers and folders of them, in any format "
    "that firstbad knows, and prints runs, attempts, incidents with verdict and first bad step, "
    "the "
    "checkpoints beside them, what could not be read, and the next commands worth running. Needs "
    "no "
    "case and writes nothing.\n\nExit status 3 if an incident is a fault; 4 if none is, but a part "
    "of the input was damaged or could not be read.",
    "firstbad look run/  # a folder of logs\n"
    "firstbad look train.log events.out.tfevents.*  # several files of one run\n"
    "firstbad look run/ --json | jq '.result.next'",
    makeLookCommand};

}  // namespace firstbad::cli
