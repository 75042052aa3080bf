// SPDX-License-Identifier: GPL-3.0-or-later
// Session: the objects that live as long as the program: jobs, what is open, what is looked at,
// theme.
//
// GUI thread only; made once in main() or in a test.
#pragma once

#include "ui/bridge/incident_focus.h"
#include "ui/bridge/job_runner.h"
#include "ui/bridge/workspace.h"
#include "ui/shell/view_entry.h"
#include "ui/widgets/theme.h"

namespace firstbad::ui {

struct Session {
    Theme theme;
    bridge::JobRunner jobs;
    bridge::IncidentFocus focus;
    bridge::Workspace workspace{jobs};

    [[nodiscard]] ViewContext context() { return {workspace, focus, theme}; }
};

}  // namespace firstbad::ui
