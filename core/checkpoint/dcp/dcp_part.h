// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a torch.distributed.checkpoint folder together: global tensors of pieces that lie in the
// .distcp files, one torch.save zip (or safetensors tensor) an item.
//
// Any thread; cost is in the number of items, no tensor data is read (but for an unfinished save
// without .metadata, whose files are searched for items).
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/folder/checkpoint_folder.h"

#include <vector>

namespace firstbad::core {

/// True when plain names of a folder are those of a distributed checkpoint, finished or not.
[[nodiscard]] bool isDcpFolder(const std::vector<std::string>& entries);

/// Adds everything in the folder. `prefix` goes before every path. Sets checkpoint.supported to
/// false when no item can be decoded, and answers whether the items are safetensors.
[[nodiscard]] Result<bool> addDcp(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<PathPart>& prefix, JobContext& job);

}  // namespace firstbad::core
