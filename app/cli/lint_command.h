// SPDX-License-Identifier: GPL-3.0-or-later
// `firstbad lint`: the input of one step, checked before the model sees it.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeLintCommand();

inline constexpr Command kLintCommand{
    "lint",
    "CAPSULE",
    "Check the input of a frozen step",
    "Checks ids, positions, masks, labels, hashes, non-finite inputs, and precision traps of the "
    "config of a capsule, for each micro-step. Nothing of the model is computed, and no LibTorch "
    "is needed. Exit status 3 if an error was found; warnings do not count.",
    "firstbad lint step-33708.capsule  # is the batch at fault?\n"
    "firstbad lint -v step-33708.capsule  # every place",
    makeLintCommand,
};

}  // namespace firstbad::cli
