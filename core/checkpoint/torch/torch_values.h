// SPDX-License-Identifier: GPL-3.0-or-later
// collectPickledValues(): tensors, arrays and numbers in a pickle that stands alone. Any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/checkpoint.h"

#include <string>
#include <vector>

namespace firstbad::core {

/// Adds what the pickle `bytes` holds to `part`, below the path `prefix`; `member` is what damage
/// names. Error only when cancelled.
[[nodiscard]] Result<void> collectPickledValues(std::string bytes, std::vector<PathPart> prefix,
    const std::string& member, Checkpoint& part, JobContext& job);

}  // namespace firstbad::core
