// SPDX-License-Identifier: GPL-3.0-or-later
// `firstbad bisect`: the search for the first bad place, automatic or stepped by hand as in git.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeBisectCommand();

inline constexpr Command kBisectCommand{
    "bisect",
    "CAPSULE | start CAPSULE | good|bad|skip [PLACE] | next | auto | log | replay LOG | reset",
    "Search a frozen step for the first bad place",
    "With a capsule: searches block outputs, then the ops of the block found, then the element and "
    "what made it; the neighbours are verified. With a word: the same search stepped by hand as in "
    "git, in a case. start begins one; next lets the program look at the next place; good, bad and "
    "skip say a verdict yourself; auto goes on to the end; log prints what was said, and replay "
    "does it again from such a log; reset gives up.",
    "firstbad bisect step-33708.capsule  # block, op, element\n"
    "firstbad bisect start step-33708.capsule  # step by step, in a case\n"
    "firstbad bisect next  # look at one place\n"
    "firstbad bisect good blocks.40  # or say it yourself\n"
    "firstbad bisect log > steps  # and later: firstbad bisect replay steps",
    makeBisectCommand,
};

}  // namespace firstbad::cli
