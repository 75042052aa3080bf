// SPDX-License-Identifier: GPL-3.0-or-later
// loadPaths(): from paths that a user names to runs, attempts and series.
//
// Walks folders (never out of them through links), sniffs, reads, joins sources into runs and
// attempts. Long: progress counts bytes, cancel within 100 ms. Memory is the columns plus one block
// a column.
#pragma once

#include "core/base/job_context.h"
#include "core/import/dataset.h"
#include "core/import/importer.h"

#include <filesystem>
#include <memory>
#include <span>

namespace firstbad::core {

/// Fails only when nothing can be done at all (no such path, no permission on all of it,
/// cancelled). A file that is damaged, unsupported or not recognised is a SourceInfo with a
/// sentence.
[[nodiscard]] Result<std::shared_ptr<const Dataset>> loadPaths(
    std::span<const std::filesystem::path> paths, const ImportOptions& options, JobContext& job);

}  // namespace firstbad::core
