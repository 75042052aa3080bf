// SPDX-License-Identifier: GPL-3.0-or-later
// The result of `scan` as JSON (contracts.md 2), and the warnings that other commands share.
//
// Pure, any thread.
#pragma once

#include "core/base/json_writer.h"
#include "core/scan/checkpoint_scan.h"

#include <string>
#include <vector>

namespace firstbad::core {

/// {"files":[...],"verdict":...}; `all` adds every tensor.
[[nodiscard]] std::string scanJson(const std::vector<CheckpointScan>& scans, bool all);

/// The array of warnings.
void writeWarnings(JsonWriter& json, const std::vector<CheckpointWarning>& warnings);

/// The worst verdict; Finite for none.
[[nodiscard]] ScanVerdict worstVerdict(const std::vector<CheckpointScan>& scans) noexcept;

}  // namespace firstbad::core
