// SPDX-License-Identifier: GPL-3.0-or-later
// judgeFile(): the warnings of one scanned checkpoint, alone and against its parent.
//
// Reads a few of its tensors again. Cancellable; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/scan/checkpoint_scan.h"

#include <vector>

namespace firstbad::core {

/// Appends to scan.checkpoint.warnings. Only what could be read in full is judged.
[[nodiscard]] Result<void> judgeFile(CheckpointScan& scan, JobContext& job);

/// What the child's tensors say against the parent's. Both were scanned.
[[nodiscard]] Result<std::vector<CheckpointWarning>> compareWithParent(
    const CheckpointScan& child, const CheckpointScan& parent, JobContext& job);

/// True when a tensor, or a number that training uses, is not finite.
[[nodiscard]] bool holdsNonfinite(const CheckpointScan& scan);

}  // namespace firstbad::core
