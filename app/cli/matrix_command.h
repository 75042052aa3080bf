// SPDX-License-Identifier: GPL-3.0-or-later
// `firstbad matrix`: counterfactuals of a frozen step in one table.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeMatrixCommand();

inline constexpr Command kMatrixCommand{
    "matrix",
    "CAPSULE",
    "Which setting makes the step fail",
    "Runs the step in every precision, with loss scale 1, with another attention path and without "
    "dropout, and finds the smallest set of blocks that need fp32.",
    "firstbad matrix step-33708.capsule  # one table",
    makeMatrixCommand,
};

}  // namespace firstbad::cli
