// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a case back: newest sources and current runs, every segment file once, its hash checked.
//
// Memory: the columns, one segment file, and the pieces of columns not yet joined. Cancellable.
#pragma once

#include "core/base/job_context.h"
#include "core/import/dataset.h"
#include "core/store/database.h"

#include <filesystem>
#include <memory>

namespace firstbad::core {

/// Columns whose segments are missing or damaged are left out, with an Error in the diagnostics.
[[nodiscard]] Result<std::shared_ptr<const Dataset>> loadCase(
    const Database& database, const std::filesystem::path& folder, JobContext& job);

/// The bytes of a file that the database names; missing, resized or changed ones are Malformed.
[[nodiscard]] Result<std::string> readNamedFile(const std::filesystem::path& folder,
    const std::string& name, std::uint64_t bytes, const std::string& sha256);
/// The same check in bounded memory, whatever the size.
[[nodiscard]] Result<void> verifyNamedFile(const std::filesystem::path& folder,
    const std::string& name, std::uint64_t bytes, const std::string& sha256, JobContext& job);

}  // namespace firstbad::core
