// SPDX-License-Identifier: GPL-3.0-or-later
// The saves that a `checkpoint` command works on: from paths, or from the case, with everything
// that logs, ledgers and people say of them.
//
// One thread. Long: scans; cancel within 100 ms.
#pragma once

#include "app/cli/command.h"
#include "core/detect/assessment.h"
#include "core/restore/assess_saves.h"
#include "core/store/case_store.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::cli {

struct Saves {
    std::vector<core::SaveRecord> records;
    std::optional<core::Assessment> assessment;
    core::Diagnostics diagnostics;
};

struct SavesQuery {
    std::vector<std::string> paths;
    bool asOne = false;  ///< the paths are one checkpoint (gate)
    bool checkHashes = true;
    std::int64_t cleanSteps = 100;
};

/// True when the command means the case: no path was named, or a case was.
[[nodiscard]] bool meansCase(const SavesQuery& query, const Environment& environment);

/// Works out statuses. In a case, changes that rules make are appended to it.
[[nodiscard]] core::Result<Saves> loadSaves(
    const SavesQuery& query, const Environment& environment, core::JobContext& job);

/// How a case names a checkpoint in its rows: the absolute path without links.
[[nodiscard]] std::string checkpointKey(const std::string& path);

}  // namespace firstbad::cli
