// SPDX-License-Identifier: GPL-3.0-or-later
// Scans for people: a line a checkpoint, a table of its bad tensors, damage and warnings.
//
// Pure, any thread.
#pragma once

#include "core/present/text/text_style.h"
#include "core/scan/checkpoint_scan.h"

#include <vector>

namespace firstbad::core {

/// `verbose` lists every bad tensor, warning and slack; otherwise the first few of each.
[[nodiscard]] StyledText scanText(
    const std::vector<CheckpointScan>& scans, const TextStyle& style, bool verbose);

}  // namespace firstbad::core
