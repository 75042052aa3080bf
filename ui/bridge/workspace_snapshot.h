// SPDX-License-Identifier: GPL-3.0-or-later
// WorkspaceSnapshot: everything that is open, read and judged. Immutable, shared by all views.
//
// Plain data; any thread. Not for moc headers: they forward-declare it.
#pragma once

#include "core/detect/assessment.h"
#include "core/present/incident/incident_list.h"
#include "core/store/case_records.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace firstbad::bridge {

struct WorkspaceSnapshot {
    core::Assessment assessment;
    core::IncidentList incidents;
    std::vector<core::AttemptRow> attempts;
    std::vector<core::Annotation> annotations;
    std::vector<std::filesystem::path> locations;  ///< of the sources, parallel to them
    bool isJudged = false;  ///< false: read, but the rules have not finished
};

using SnapshotPtr = std::shared_ptr<const WorkspaceSnapshot>;

}  // namespace firstbad::bridge
