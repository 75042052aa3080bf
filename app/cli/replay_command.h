// SPDX-License-Identifier: GPL-3.0-or-later
// `firstbad replay`: a frozen step run again, with its certificate of fidelity.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeReplayCommand();

inline constexpr Command kReplayCommand{
    "replay",
    "CAPSULE",
    "Run a frozen step again",
    "Runs the step of a capsule again in a process of its own and says whether it fails as it did, "
    "what was and was not the same, and with --times whether it always does.",
    "firstbad replay step-33708.capsule  # does it fail again?\n"
    "firstbad replay --precision fp32 step-33708.capsule  # and in fp32?\n"
    "firstbad replay --times 5 step-33708.capsule  # transient or persistent",
    makeReplayCommand,
};

}  // namespace firstbad::cli
