// SPDX-License-Identifier: GPL-3.0-or-later
// Moves the focus from incident to incident and from attempt to attempt. GUI thread; cheap.
#pragma once

#include "ui/bridge/incident_focus.h"
#include "ui/bridge/workspace_snapshot.h"

namespace firstbad::bridge {

/// Attempt, step range and incident in one step of undo. An unknown id changes nothing.
void focusOnIncident(
    IncidentFocus& focus, const WorkspaceSnapshot& snapshot, const QString& incident);

/// The next (direction 1) or previous (-1) incident that is not benign; all are walked when there
/// is none of those. False when there is none at all.
bool focusOnNeighbour(IncidentFocus& focus, const WorkspaceSnapshot& snapshot, int direction);

/// The next or previous attempt of the run in focus.
bool focusOnNextAttempt(IncidentFocus& focus, const WorkspaceSnapshot& snapshot, int direction);

/// The row of the incident in focus; nullptr when there is none.
[[nodiscard]] const core::IncidentRow* incidentInFocus(
    const IncidentFocus& focus, const WorkspaceSnapshot* snapshot);

/// Its place in the assessment; members are null when there is none.
[[nodiscard]] core::PlacedIncident placedInFocus(
    const IncidentFocus& focus, const WorkspaceSnapshot* snapshot);

}  // namespace firstbad::bridge
