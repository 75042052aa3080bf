// SPDX-License-Identifier: GPL-3.0-or-later
// gatherTensor(): one whole tensor in memory, in logical order. Private to core/scan.
//
// Reads every storage that the tensor shows from its start; refuses what is larger than the limit.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"

#include <cstdint>
#include <vector>

namespace firstbad::core {

[[nodiscard]] Result<std::vector<char>> gatherTensor(const Checkpoint& checkpoint,
    const CheckpointTensor& tensor, std::uint64_t limitBytes, JobContext& job);

}  // namespace firstbad::core
