// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed's universal checkpoints: zero/<parameter>/{fp32,exp_avg,exp_avg_sq,step}.pt.
//
// Any thread; no tensor data is read.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/folder/checkpoint_folder.h"

#include <vector>

namespace firstbad::core {

/// Adds the folder zero of `folder`. Parameters that lack a file that others have are damage.
[[nodiscard]] Result<void> addUniversal(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<PathPart>& prefix, JobContext& job);

}  // namespace firstbad::core
