// SPDX-License-Identifier: GPL-3.0-or-later
// readTorchZip() and readTorchLegacy(): one file of torch.save, at any place of a file or in
// memory, into a part of a Checkpoint. Readers of folders put their parts together.
//
// No tensor data is read. Any thread. Damage is described in the part, an Error means that the
// bytes could not be read at all or that the job was cancelled.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/byte_source.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/pickle/machine.h"

#include <string>
#include <vector>

namespace firstbad::core {

struct TorchFileOptions {
    std::uint32_t file = 0;  ///< number of this file in the Checkpoint that gets the part
    std::vector<PathPart> prefix;  ///< put before every path (rank folder, file name)
    std::string shownPath;  ///< for sentences
    std::string memberPrefix;  ///< put before members in damage ("mp_rank_00/x.pt: ")
    bool wantDocument = false;  ///< keep the pickled values for the caller
    int nesting = 0;  ///< torch files inside bytes of torch files: at most kMaxTorchNesting
};

inline constexpr int kMaxTorchNesting = 3;

struct TorchFile {
    Checkpoint part;  ///< files is empty: the caller knows the file
    PickleDocument document;  ///< of data.pkl, when wanted
    std::uint64_t end = 0;  ///< bytes of `source` that belong to the file
};

/// A zip of torch.save or TorchScript: all of `source`. Without a central directory (a save that
/// was cut off) the records are found by walking.
[[nodiscard]] Result<TorchFile> readTorchZip(
    const ByteSource& source, const TorchFileOptions& options, JobContext& job);

/// The format before PyTorch 1.6.
[[nodiscard]] Result<TorchFile> readTorchLegacy(
    const ByteSource& source, const TorchFileOptions& options, JobContext& job);

/// Either of the two, by the first bytes; anything else is the damage `not-a-checkpoint`.
[[nodiscard]] Result<TorchFile> readTorchFile(
    const ByteSource& source, const TorchFileOptions& options, JobContext& job);

/// Adds the tensors, storages, scalars, texts, damage and warnings of `part` to `whole`.
void appendPart(Checkpoint& whole, Checkpoint part);

}  // namespace firstbad::core
