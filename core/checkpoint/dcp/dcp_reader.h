// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of torch.distributed.checkpoint folders: .metadata with .distcp files, and the slices
// that HuggingFaceStorageWriter leaves with save_distributed. Stateless; any thread.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"

namespace firstbad::core {

[[nodiscard]] int sniffDcp(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openDcp(const CheckpointHead& head, JobContext& job);

[[nodiscard]] int sniffHfSlices(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openHfSlices(const CheckpointHead& head, JobContext& job);

}  // namespace firstbad::core
