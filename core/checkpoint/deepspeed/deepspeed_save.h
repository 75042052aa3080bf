// SPDX-License-Identifier: GPL-3.0-or-later
// Puts one DeepSpeed save (a tag's folder) into a checkpoint: ZeRO 1 to 3, plain and pipeline
// engines, and universal checkpoints.
//
// Any thread; no tensor data is read.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/folder/checkpoint_folder.h"

#include <vector>

namespace firstbad::core {

/// Names start with `prefix` and the file's name without .pt. Sets the step when a file states it.
[[nodiscard]] Result<void> addDeepSpeedSave(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<PathPart>& prefix, JobContext& job);

}  // namespace firstbad::core
