// SPDX-License-Identifier: GPL-3.0-or-later
// PipeTransport: a worker as a process of this machine, its streams as pipes. No shell.
//
// One thread. The process runs in a group of its own, so that Ctrl-C reaches it as `cancel`.
#pragma once

#include "core/base/result.h"
#include "core/worker/transport.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace firstbad::core {

inline constexpr std::size_t kLogLinesKept = 50;

/// Starts `program` with `arguments`. NotFound when it cannot be started.
[[nodiscard]] Result<std::unique_ptr<WorkerTransport>> startProcess(
    const std::filesystem::path& program, const std::vector<std::string>& arguments = {});

}  // namespace firstbad::core
