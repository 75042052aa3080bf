// SPDX-License-Identifier: GPL-3.0-or-later
// The items of a distributed checkpoint without .metadata: found by walking the files, named by
// file and place. Reads the files once; cancellable.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/dcp/dcp_shards.h"

#include <vector>

namespace firstbad::core {

/// `entries` are the plain names in the folder.
[[nodiscard]] Result<void> addUnnamedItems(Checkpoint& checkpoint, DcpShards& shards,
    const std::vector<std::string>& entries, const std::vector<PathPart>& prefix, JobContext& job);

}  // namespace firstbad::core
