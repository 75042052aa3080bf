// SPDX-License-Identifier: GPL-3.0-or-later
// CheckpointScan: a checkpoint and what the bytes of its tensors hold.
//
// Plain values; immutable once scanned; any thread.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/finite/value_stats.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// What `scan` says of one checkpoint, from good to bad: the worst that applies.
enum class ScanVerdict : std::uint8_t { Finite, Unsupported, Nonfinite, Damaged, Refused };

/// "finite", "unsupported", "nonfinite", "damaged", "refused".
[[nodiscard]] std::string_view toString(ScanVerdict verdict) noexcept;

/// A piece of a sharded tensor that holds non-finite values.
struct ShardFinding {
    std::uint32_t storage = 0;
    std::vector<std::int64_t> offsets;  ///< of the piece in the whole tensor
    std::vector<std::int64_t> sizes;
    ValueStats stats;
    std::vector<std::int64_t> firstIndex;  ///< inside the piece
    std::optional<std::uint64_t> fileOffset;
};

struct TensorScan {
    bool scanned = false;  ///< false: its type cannot be non-finite, or its bytes were not read
    std::uint64_t elements = 0;  ///< stored values of a sparse tensor; 0 for meta tensors
    ValueStats stats;  ///< `firstBad` counts elements, row-major in the whole tensor
    std::vector<std::int64_t> firstIndex;
    std::string firstBits;  ///< big-endian hex; "real/imag" for complex types
    std::uint32_t file = 0;  ///< of the first bad value
    std::optional<std::uint64_t> fileOffset;  ///< where its bytes lie as they are
    std::vector<ShardFinding> shards;
};

/// Bytes of a storage that no tensor shows.
struct UnreferencedBytes {
    std::uint32_t storage = 0;
    std::uint64_t bytes = 0;
    ValueStats stats;  ///< as values of the storage's own type
};

struct CheckpointScan {
    Checkpoint checkpoint;
    std::string root;  ///< folder that lists it among several saves; empty: none
    std::string rootFormat;
    std::vector<TensorScan> tensors;  ///< parallel to checkpoint.tensors
    std::vector<UnreferencedBytes> unreferenced;
    std::vector<CheckpointScalar> badScalars;
    std::uint64_t bytesRead = 0;
    double seconds = 0.0;  ///< of reading and counting
    ScanVerdict verdict = ScanVerdict::Finite;
    std::string reason;  ///< one sentence; empty for a finite checkpoint
};

/// True for a value that makes a tensor bad: -Infinity in the mask buffer of a model is there on
/// purpose.
[[nodiscard]] bool isBad(const CheckpointTensor& tensor, const TensorScan& scan) noexcept;

/// Tensors for which isBad() holds.
[[nodiscard]] std::size_t badTensors(const CheckpointScan& scan) noexcept;

}  // namespace firstbad::core
