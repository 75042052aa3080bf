// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the counts of storages together tensor by tensor. Private to core/scan.
//
// One thread, after the bytes were counted. Reads the bits of each first bad value again.
#pragma once

#include "core/scan/checkpoint_scan.h"
#include "core/scan/storage_plan.h"

#include <vector>

namespace firstbad::core {

[[nodiscard]] std::vector<TensorScan> reportTensors(
    const Checkpoint& checkpoint, const std::vector<StoragePlan>& plans);

[[nodiscard]] std::vector<UnreferencedBytes> reportUnreferenced(
    const Checkpoint& checkpoint, const std::vector<StoragePlan>& plans);

}  // namespace firstbad::core
