// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad audit: which updates were made, what the scaler did, what the log hides.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeAuditCommand();

inline constexpr Command kAuditCommand{"audit", "[PATH...]",
    "Account for every update: clocks, skips, scale, schedule, masked values",
    "The four clocks (iterations, updates, samples and tokens, schedule), skipped updates, the "
    "scale policy that fits with its first deviation, schedule drift, values that the log filters "
    "or "
    "masks, and steps that nobody logged. Without PATH the case is read.\n\nExit status 3 if a "
    "statement is an error.",
    "firstbad audit run/  # the accounts\n"
    "firstbad audit -v run/  # with every step",
    makeAuditCommand};

}  // namespace firstbad::cli
