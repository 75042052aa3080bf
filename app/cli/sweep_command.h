// SPDX-License-Identifier: GPL-3.0-or-later
// `firstbad sweep`: one pass over every boundary of every lane.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeSweepCommand();

inline constexpr Command kSweepCommand{
    "sweep",
    "CAPSULE",
    "Look at every boundary of a frozen step",
    "Runs the step once and looks at every tensor between its ops, forward, backward, gradients, "
    "optimizer and parameters. Draws the map of lanes by blocks and names the first bad place.",
    "firstbad sweep step-33708.capsule  # the map, and the first bad place\n"
    "firstbad sweep --when overflow-risk step-33708.capsule  # what is close to the limit\n"
    "firstbad sweep --dump seen.safetensors step-33708.capsule  # and every tensor",
    makeSweepCommand,
};

}  // namespace firstbad::cli
