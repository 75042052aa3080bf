// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of a case without what people may not want to mail: folders, quotations, names of users.
//
// Reads the whole case once; memory as loadDataset(). Numbers, steps, lines, hashes and verdicts
// stay. Cancellable.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"

#include <filesystem>

namespace firstbad::core {

/// Makes a new case in `folder`, which must not exist.
[[nodiscard]] Result<void> redactCase(
    const std::filesystem::path& from, const std::filesystem::path& folder, JobContext& job);

/// "train.log" for a path; archive members keep their "!member".
[[nodiscard]] std::string withoutFolder(const std::string& path);

}  // namespace firstbad::core
