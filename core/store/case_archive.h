// SPDX-License-Identifier: GPL-3.0-or-later
// A case as one zip file, and back on another machine.
//
// Reads and writes each file of the case once, in blocks; cancellable. The archive holds names
// inside the case only, in name order and without times: the same case gives the same bytes.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace firstbad::core {

struct CaseArchiveSummary {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;  ///< before compression
};

/// Packs the case in `folder`. The file appears in full or not at all; an existing one is replaced.
[[nodiscard]] Result<CaseArchiveSummary> exportCase(
    const std::filesystem::path& folder, const std::filesystem::path& archive, JobContext& job);

/// Unpacks into `folder`, which must not exist or be empty. Members that lead out of the folder or
/// belong to no case are refused; what comes out must open as a case. Nothing remains on failure.
[[nodiscard]] Result<CaseArchiveSummary> importCase(
    const std::filesystem::path& archive, const std::filesystem::path& folder, JobContext& job);

}  // namespace firstbad::core
