// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad series: list series, plot them, or print their points.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeSeriesCommand();

inline constexpr Command kSeriesCommand{"series", "[NAME] [PATH...]",
    "List series, plot one, or print its points",
    "Without NAME, a table of all series with what is not finite in them. NAME is the source's own "
    "name, its last part, or a quantity (loss, grad_norm, loss_scale, learning_rate, ...): these "
    "series are plotted, and --csv or --json gives every point; nothing is sampled or dropped, and "
    "NaN stays NaN. Without PATH the case is read. A first word that exists as a file or folder is "
    "a PATH; use --name if it is meant as a name.\n\nExit status 3 if a value shown is not finite.",
    "firstbad series run/  # what is there\n"
    "firstbad series loss run/  # plot it\n"
    "firstbad series loss run/ --from 100 --to 200 --csv",
    makeSeriesCommand};

}  // namespace firstbad::cli
