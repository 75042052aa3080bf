// SPDX-License-Identifier: GPL-3.0-or-later
// Puts one Megatron-LM save into a checkpoint, whichever of its three layouts it has.
//
// Any thread; no tensor data is read.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/folder/checkpoint_folder.h"

#include <string_view>
#include <vector>

namespace firstbad::core {

enum class MegatronLayout : std::uint8_t { None, Legacy, Distributed };

/// What the plain names of a folder say that it is: mp_rank_* folders, or metadata.json beside
/// torch_dist or zarr data.
[[nodiscard]] MegatronLayout megatronLayout(const std::vector<std::string>& entries);

/// Adds everything in the folder; sets checkpoint.format and checkpoint.step.
[[nodiscard]] Result<void> addMegatronSave(
    Checkpoint& checkpoint, const CheckpointFolder& folder, JobContext& job);

}  // namespace firstbad::core
