// SPDX-License-Identifier: GPL-3.0-or-later
// What people say of checkpoints: notes and statuses as rows of the case that are never changed.
//
// One thread; opens the case.
#pragma once

#include "app/cli/command.h"
#include "app/cli/usage_answer.h"

#include <string>
#include <vector>

namespace firstbad::cli {

struct CheckpointNote {
    std::string status;
    std::string because;
    std::string note;
    bool override = false;
};

/// Appends a note or a status. A release of a bad file without --override is refused (5).
[[nodiscard]] core::Result<Answer> annotateCheckpoint(const std::vector<std::string>& paths,
    const CheckpointNote& note, const Environment& environment, core::JobContext& job);

/// Every row on the named checkpoints; on all of them when none is named.
[[nodiscard]] core::Result<Answer> checkpointHistory(
    const std::vector<std::string>& paths, const Environment& environment);

}  // namespace firstbad::cli
