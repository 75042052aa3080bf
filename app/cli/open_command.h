// SPDX-License-Identifier: GPL-3.0-or-later
// `firstbad open`: starts the workbench that lies beside this program.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeOpenCommand();

inline constexpr Command kOpenCommand{"open", "[CASE|PATH...]",
    "Open a case or logs in the desktop workbench",
    "Starts firstbad-workbench, found beside this program, with the paths named; without any, with "
    "the case of -C or of the current folder. Returns at once; the window goes on by itself.",
    "firstbad open run/  # look at logs, nothing is written\n"
    "firstbad open  # the case here",
    makeOpenCommand};

}  // namespace firstbad::cli
