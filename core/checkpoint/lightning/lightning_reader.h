// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of checkpoints of PyTorch Lightning: a torch.save file with keys of its own.
//
// Stateless; any thread.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"

namespace firstbad::core {

[[nodiscard]] int sniffLightning(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openLightning(const CheckpointHead& head, JobContext& job);

}  // namespace firstbad::core
