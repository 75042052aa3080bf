// SPDX-License-Identifier: GPL-3.0-or-later
// Puts checkpoints that are parts of one save together. Pure; linear in the tensors.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <string>
#include <vector>

namespace firstbad::core {

/// Puts `prefix` before the name of everything in `checkpoint`.
void addPrefix(Checkpoint& checkpoint, const std::string& prefix);

/// One Checkpoint that holds all of `parts`; formats are joined by '+'.
[[nodiscard]] Checkpoint mergeCheckpoints(const std::string& path, std::vector<Checkpoint> parts);

}  // namespace firstbad::core
