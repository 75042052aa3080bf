// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the checkpoints below the paths that a user named, and opens them.
//
// Looks at names and first bytes; never leaves a named folder through a link. Cancellable.
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"

#include <filesystem>
#include <string>
#include <vector>

namespace firstbad::core {

/// One checkpoint: a file, a folder that a reader takes as a whole, or a folder whose sub-folders
/// hold the parts of one save.
struct CheckpointPlace {
    struct Part {
        std::string shown;  ///< as the user would name it
        std::filesystem::path location;
        std::string prefix;  ///< put before tensor names; empty for a checkpoint of one part
    };
    std::string shown;
    std::filesystem::path location;
    std::vector<Part> parts;  ///< at least one
    std::string root;  ///< folder that lists it among several saves
    std::string rootFormat;
    bool isTracked = false;  ///< the tracker file of its root names it as the newest
};

struct FoundCheckpoints {
    std::vector<CheckpointPlace> places;  ///< in the order of the paths, then of names
    Diagnostics diagnostics;  ///< links that lead out of a folder and were not followed
};

/// A named file is always a place, so that a scan can say what is wrong with it. A named folder
/// without any checkpoint is one too. NotFound when a path does not exist.
[[nodiscard]] Result<FoundCheckpoints> findCheckpoints(
    const std::vector<std::string>& paths, JobContext& job);

/// The one checkpoint that `path` means: everything below an ordinary folder is one save.
[[nodiscard]] Result<CheckpointPlace> findOneCheckpoint(const std::string& path, JobContext& job);

/// Opens all parts into one Checkpoint.
[[nodiscard]] Result<Checkpoint> openPlace(const CheckpointPlace& place, JobContext& job);

/// "checkpoint-500", "global_step1200", "iter_0000500": a folder that is named like one save.
[[nodiscard]] bool isNamedLikeSave(std::string_view name);

/// The step in a checkpoint's name: "checkpoint-110", "iter_0001000", "global_step500".
[[nodiscard]] std::optional<std::int64_t> stepInName(const std::string& path);

}  // namespace firstbad::core
