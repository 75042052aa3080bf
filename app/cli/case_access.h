// SPDX-License-Identifier: GPL-3.0-or-later
// Which case a command works on: -C, FIRSTBAD_CASE, or found upwards from the current folder.
//
// One thread; touches the file system.
#pragma once

#include "app/cli/command.h"
#include "core/import/dataset.h"
#include "core/store/case_store.h"

#include <filesystem>
#include <memory>

namespace firstbad::cli {

/// NotFound, with what to do, when there is no case.
[[nodiscard]] core::Result<std::filesystem::path> findCaseFolder(const Environment& environment);

[[nodiscard]] core::Result<core::CaseStore> openCase(
    const Environment& environment, core::CaseAccess access);

/// Everything that was added to the case.
[[nodiscard]] core::Result<std::shared_ptr<const core::Dataset>> loadCase(
    const Environment& environment, core::JobContext& job);

}  // namespace firstbad::cli
