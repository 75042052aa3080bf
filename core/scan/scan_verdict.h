// SPDX-License-Identifier: GPL-3.0-or-later
// From counts and damage to the verdict of a file and the sentence that explains it. Pure.
#pragma once

#include "core/scan/checkpoint_scan.h"

#include <string>

namespace firstbad::core {

/// The worst that applies; tensors, scalars that training depends on, and damage count.
[[nodiscard]] ScanVerdict verdictOf(const CheckpointScan& scan);

/// One sentence; empty for Finite.
[[nodiscard]] std::string reasonOf(const CheckpointScan& scan);

/// True for numbers that the next step of training uses: learning rates, scales, moments'
/// constants. A best metric that is still infinite is none of them.
[[nodiscard]] bool steersTraining(const CheckpointScalar& scalar);

}  // namespace firstbad::core
