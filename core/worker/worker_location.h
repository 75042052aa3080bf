// SPDX-License-Identifier: GPL-3.0-or-later
// Where firstbad-worker is: FIRSTBAD_WORKER, beside this program, or in libexec.
//
// Asks environment and file system; any thread.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <vector>

namespace firstbad::core {

/// Places looked at for a program that lies at `executable`, in order.
[[nodiscard]] std::vector<std::filesystem::path> workerPlaces(
    const std::filesystem::path& executable);

/// NotFound, with what to do, when there is none.
[[nodiscard]] Result<std::filesystem::path> findWorker();

}  // namespace firstbad::core
