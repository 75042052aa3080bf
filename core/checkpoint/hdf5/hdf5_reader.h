// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of HDF5 files, Keras weights among them, and of .keras archives, which hold one.
//
// Stateless; any thread; starts a child process for the time of the call.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"

namespace firstbad::core {

[[nodiscard]] int sniffHdf5Checkpoint(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openHdf5Checkpoint(const CheckpointHead& head, JobContext& job);

[[nodiscard]] int sniffKerasArchive(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openKerasArchive(const CheckpointHead& head, JobContext& job);

/// The decoded bytes of a storage of coding Hdf5: a child reads them. `location` is where its file
/// lies; its offset and storedBytes say which part of the file is HDF5.
[[nodiscard]] Result<std::unique_ptr<StorageStream>> openHdf5Storage(
    const Storage& storage, const std::string& location);

}  // namespace firstbad::core
