// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of the folders that the Hugging Face Trainer saves: weights, optimizer, scheduler, scaler,
// generators and state; also with DeepSpeed or FSDP inside. Stateless; any thread.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"

namespace firstbad::core {

[[nodiscard]] int sniffTrainer(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openTrainer(const CheckpointHead& head, JobContext& job);

}  // namespace firstbad::core
