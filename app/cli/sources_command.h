// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad sources: the sources of the case, with hash, format and what was skipped.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeSourcesCommand();

inline constexpr Command kSourcesCommand{"sources", "[PATH...]",
    "List sources with hash, format and what was skipped",
    "The sources of the case; with PATH, what would be read there, without a case. Every part that "
    "was skipped is counted; -v lists each with its place and reason.\n\nExit status 4 if a part "
    "could not be read.",
    "firstbad sources  # of the case\n"
    "firstbad sources -v run/  # what is skipped, and why",
    makeSourcesCommand};

}  // namespace firstbad::cli
