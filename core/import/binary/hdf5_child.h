// SPDX-License-Identifier: GPL-3.0-or-later
// Reads an HDF5 file in a forked child, so that a crash or hang of the library ends only the child.
//
// Callers' thread; blocks until the child is done, cancelled or 60 s without a word. The child has
// limits on memory and time, and no way to the terminal.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/import/binary/hdf5_messages.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace firstbad::core {

/// Calls `take` for each message up to End. False: the child died, broke the rules or fell silent;
/// what it had said before was passed on. Fails when cancelled or when no child can be started.
[[nodiscard]] Result<bool> readHdf5InChild(const std::filesystem::path& path,
    const std::vector<std::string>& stepNames, JobContext& job,
    const std::function<void(Hdf5Message, std::string_view)>& take);

}  // namespace firstbad::core
