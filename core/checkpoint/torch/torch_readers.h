// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of single files of PyTorch, for the table.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"

namespace firstbad::core {

[[nodiscard]] int sniffTorchZip(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openTorchZip(const CheckpointHead& head, JobContext& job);

[[nodiscard]] int sniffTorchLegacy(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openTorchLegacy(const CheckpointHead& head, JobContext& job);

}  // namespace firstbad::core
