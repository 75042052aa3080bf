// SPDX-License-Identifier: GPL-3.0-or-later
// readStorageRange(): some decoded bytes of one storage. Compressed storages are decoded up to
// there. Any thread; memory is the length asked for.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"

namespace firstbad::core {

/// Fewer bytes only where the storage ends.
[[nodiscard]] Result<std::string> readStorageRange(
    const Checkpoint& checkpoint, std::size_t index, std::uint64_t offset, std::uint64_t length);

}  // namespace firstbad::core
