// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad annotate: notes on an incident, attempt, step range, source or checkpoint of the case.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeAnnotateCommand();

inline constexpr Command kAnnotateCommand{"annotate", "[TARGET]",
    "Write a note on an incident, attempt, step range, source or checkpoint",
    "TARGET is the number of an incident, the name of an attempt, ATTEMPT:FROM-TO, or the path of "
    "a "
    "source or checkpoint. Notes are append-only: --withdraw takes one back by a new row, the old "
    "one stays readable. Without TARGET the notes of the case are listed.",
    "firstbad annotate 1 --note 'learning rate slipped, see the change of Monday'\n"
    "firstbad annotate a7:33708-33716 --note 'skips, all ranks'\n"
    "firstbad annotate --withdraw 3",
    makeAnnotateCommand};

}  // namespace firstbad::cli
