// SPDX-License-Identifier: GPL-3.0-or-later
// What config.json says that a judgement of the weights needs. Any thread.
#pragma once

#include "core/checkpoint/folder/checkpoint_folder.h"

namespace firstbad::core {

/// Adds the texts config.model_type, config.torch_dtype and config.architectures, where they stand.
void addConfigTexts(Checkpoint& checkpoint, const CheckpointFolder& folder);

}  // namespace firstbad::core
