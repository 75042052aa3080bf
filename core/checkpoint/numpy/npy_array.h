// SPDX-License-Identifier: GPL-3.0-or-later
// readNpyArray(): one .npy, a file of its own or a member of an .npz, into a part of a Checkpoint.
//
// Any thread. No numbers are read, but for arrays of records, whose fields are gathered in memory
// (up to a limit), and for arrays of objects, which are pickles.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/byte_source.h"
#include "core/checkpoint/checkpoint.h"

#include <optional>
#include <string>

namespace firstbad::core {

/// A .npy and how its bytes are kept.
struct NpyPlace {
    ByteSource bytes;  ///< as stored: compressed when `coding` says so
    StorageCoding coding = StorageCoding::Raw;  ///< Raw or Deflate
    std::uint64_t decodedBytes = 0;  ///< of the whole .npy, as far as it exists
    std::uint64_t declaredBytes = 0;
    std::optional<std::uint32_t> crc32;  ///< of the whole .npy
    std::string member;  ///< for damage: "weight.npy"
    std::string name;  ///< of the tensor: "weight"
};

[[nodiscard]] Result<void> readNpyArray(const NpyPlace& place, Checkpoint& part, JobContext& job);

}  // namespace firstbad::core
