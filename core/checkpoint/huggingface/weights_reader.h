// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of folders that hold a model's weights only: shards with or without an index, or one file
// beside its config.json. Stateless; any thread.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"

namespace firstbad::core {

[[nodiscard]] int sniffWeightsFolder(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openWeightsFolder(const CheckpointHead& head, JobContext& job);

}  // namespace firstbad::core
