// SPDX-License-Identifier: GPL-3.0-or-later
// addHdf5(): everything that the reading child says of one HDF5 file, put into a checkpoint.
//
// Blocks until the child is done; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/hdf5/hdf5_window.h"

#include <string>

namespace firstbad::core {

/// `file` is the number of the file in the checkpoint, `name` what damage calls it.
[[nodiscard]] Result<void> addHdf5(Checkpoint& checkpoint, std::uint32_t file,
    const Hdf5Window& window, const std::string& name, JobContext& job);

}  // namespace firstbad::core
