// SPDX-License-Identifier: GPL-3.0-or-later
// trainer_state.json: the step, and the bare NaN and Infinity that the Trainer logged.
//
// Any thread; at most 256 MB of JSON.
#pragma once

#include "core/checkpoint/folder/checkpoint_folder.h"

namespace firstbad::core {

/// Sets checkpoint.step; adds texts, and a note for each logged value that is not finite.
void addTrainerState(Checkpoint& checkpoint, const CheckpointFolder& folder);

}  // namespace firstbad::core
