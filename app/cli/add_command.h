// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad add: reads sources into the case; again, only what is new or grew.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeAddCommand();

inline constexpr Command kAddCommand{"add", "PATH...", "Read sources into the case",
    "Reads files and folders into the case, with the SHA-256 of each. Adding a source again stores "
    "only what is new: a log that grew is followed, and one whose old part changed is kept as a "
    "new "
    "version and named. When add has answered, what it stored survives a crash of the machine.\n\n"
    "Exit status 3 if an incident in what was added is a fault.",
    "firstbad add run/  # a folder\n"
    "firstbad add train.log  # again, after it grew",
    makeAddCommand};

}  // namespace firstbad::cli
