// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad init: makes an empty case.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeInitCommand();

inline constexpr Command kInitCommand{"init", "CASE",
    "Make a case: a folder that keeps sources and findings",
    "A case holds what was read, with hashes, in append-only tables: what it has acknowledged "
    "stays "
    "there. firstbad finds the case from any folder inside it, from beside a folder named 'case', "
    "with -C, or with FIRSTBAD_CASE.",
    "firstbad init case  # here\n"
    "firstbad -C case add run/  # then read a folder into it",
    makeInitCommand};

}  // namespace firstbad::cli
