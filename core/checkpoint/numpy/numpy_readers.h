// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of NumPy's files, for the table.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"

namespace firstbad::core {

[[nodiscard]] int sniffNpy(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openNpy(const CheckpointHead& head, JobContext& job);

[[nodiscard]] int sniffNpz(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openNpz(const CheckpointHead& head, JobContext& job);

}  // namespace firstbad::core
