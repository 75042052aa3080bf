// SPDX-License-Identifier: GPL-3.0-or-later
// scanCheckpoint(): reads the bytes of a checkpoint and counts what is not finite in each tensor.
//
// Each storage is read once, in file order, with pread on several threads; one buffer a thread.
// Progress counts bytes; cancel within 50 ms. A file that changes meanwhile is damage.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/scan/checkpoint_scan.h"

#include <cstddef>

namespace firstbad::core {

struct ScanOptions {
    unsigned threads = 0;  ///< 0: one a core, at most 16
    std::size_t pieceBytes = std::size_t{1} << 20U;
    bool checkCrc = true;  ///< compare recorded checksums of storages on the way
};

/// Fails only on cancel. What cannot be read is damage in the answer.
[[nodiscard]] Result<CheckpointScan> scanCheckpoint(
    Checkpoint checkpoint, const ScanOptions& options, JobContext& job);

/// Bytes that a scan will read: for progress over several checkpoints.
[[nodiscard]] std::uint64_t bytesToScan(const Checkpoint& checkpoint) noexcept;

}  // namespace firstbad::core
