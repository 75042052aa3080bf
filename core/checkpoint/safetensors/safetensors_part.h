// SPDX-License-Identifier: GPL-3.0-or-later
// Turns entries of a safetensors header into tensors and storages of a Checkpoint.
//
// Any thread; linear in the entries. Shared by single files, shards and distributed checkpoints.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/safetensors/header.h"

namespace firstbad::core {

/// Where the data of one entry lies. Its storage has fewer bytes than declared when the file ends
/// inside it, and none (Missing) when the file ends before it.
[[nodiscard]] Storage storageOf(
    const SafetensorsHeader& header, const SafetensorsEntry& entry, std::uint32_t file);

/// Adds one tensor, and notes it as lost when it is not all there or cannot be placed.
void addSafetensorsTensor(Checkpoint& checkpoint, const SafetensorsHeader& header,
    SafetensorsEntry entry, std::uint32_t file);

/// The texts of __metadata__, and the step and parent that some writers put there.
void addSafetensorsMetadata(Checkpoint& checkpoint, const SafetensorsHeader& header);

}  // namespace firstbad::core
