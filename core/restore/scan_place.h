// SPDX-License-Identifier: GPL-3.0-or-later
// scanAndJudge(): from the place of a checkpoint to its scan with warnings.
//
// Long: reads the checkpoint once, and a few of its tensors again. Cancellable.
#pragma once

#include "core/judge/judge_file.h"
#include "core/restore/find_checkpoints.h"

namespace firstbad::core {

/// Opens, scans and judges. An Error only when it cannot be opened at all, or on cancel.
[[nodiscard]] Result<CheckpointScan> scanAndJudge(const CheckpointPlace& place, JobContext& job);

}  // namespace firstbad::core
