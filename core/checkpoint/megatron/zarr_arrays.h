// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays of zarr version 2 in the folders of an older Megatron-LM: one folder an array, one file a
// chunk. Any thread; reads .zarray files only.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/folder/checkpoint_folder.h"

#include <string>
#include <vector>

namespace firstbad::core {

/// Adds every array whose folder is among `entries`, and torch files that lie beside chunks.
[[nodiscard]] Result<void> addZarrArrays(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<std::string>& entries, JobContext& job);

/// True when one of the entries is the folder of a zarr array.
[[nodiscard]] bool hasZarrArrays(
    const CheckpointFolder& folder, const std::vector<std::string>& entries);

}  // namespace firstbad::core
