// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of single safetensors files. Stateless; any thread; reads the header only.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"

namespace firstbad::core {

[[nodiscard]] int sniffSafetensors(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openSafetensors(const CheckpointHead& head, JobContext& job);

}  // namespace firstbad::core
