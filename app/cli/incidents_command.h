// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad incidents: the incidents of the case or of paths; one of them in full with plots.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeIncidentsCommand();

inline constexpr Command kIncidentsCommand{"incidents", "[ID...] [PATH...]",
    "List incidents, worst first, or show one in full",
    "Without ID, the list of incidents with verdict and evidence. With the number of an incident, "
    "plots of loss, loss scale and gradient norm around its onset, what speaks for and against the "
    "verdict, what is unknown and what would settle it. Without PATH the case is read.\n\nExit "
    "status 3 if one of the incidents is a fault.",
    "firstbad incidents run/  # the list\n"
    "firstbad incidents 1 run/  # the first one in full\n"
    "firstbad incidents -v run/  # benign ones, too",
    makeIncidentsCommand};

}  // namespace firstbad::cli
