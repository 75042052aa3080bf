// SPDX-License-Identifier: GPL-3.0-or-later
// The long functions behind Workspace: read a case or paths, judge, write notes. No Qt state.
//
// Any thread; cancellable; each opens the store anew, so that another program may write between.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/detect/settings.h"
#include "core/store/case_store.h"
#include "ui/bridge/workspace_snapshot.h"

#include <filesystem>
#include <vector>

namespace firstbad::bridge {

using Paths = std::vector<std::filesystem::path>;

/// Reads without judging. One path that is the folder of a case is that case.
[[nodiscard]] core::Result<WorkspaceSnapshot> readPaths(const Paths& paths, core::JobContext& job);

/// The snapshot with incidents.
[[nodiscard]] core::Result<WorkspaceSnapshot> judged(
    const WorkspaceSnapshot& read, const core::Settings& settings, core::JobContext& job);

/// Makes a case in `folder` that holds `paths`; what was judged with it.
[[nodiscard]] core::Result<core::AddReport> keepAsCase(const std::filesystem::path& folder,
    const Paths& paths, const core::Settings& settings, core::JobContext& job);

/// Appends a note and returns all notes of the case.
[[nodiscard]] core::Result<std::vector<core::Annotation>> writeNote(
    const std::filesystem::path& caseFolder, core::Annotation note);

/// Size and time of each file, to notice growth; a file that is gone counts as 0.
[[nodiscard]] std::vector<std::pair<std::uintmax_t, std::int64_t>> stampsOf(const Paths& files);

}  // namespace firstbad::bridge
