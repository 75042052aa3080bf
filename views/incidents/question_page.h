// SPDX-License-Identifier: GPL-3.0-or-later
// The text of one incident as rich text: head, five questions, for and against, notes.
//
// Pure; everything from files is escaped. Links: "step:N", "source:INDEX:LINE", "incident:ID",
// "withdraw:ID".
#pragma once

#include "ui/bridge/workspace_snapshot.h"
#include "ui/widgets/tokens.h"

#include <QString>
#include <QStringList>

namespace firstbad::views {

/// Title, chips and what to restore.
[[nodiscard]] QString headHtml(const bridge::WorkspaceSnapshot& snapshot,
    const core::PlacedIncident& placed, const ui::Tokens& tokens);

/// One block of rich text for each question, then one for what speaks for and against.
[[nodiscard]] QStringList questionHtml(const bridge::WorkspaceSnapshot& snapshot,
    const core::PlacedIncident& placed, const ui::Tokens& tokens);

/// Notes on the incident, its attempt and the steps around it, newest last.
[[nodiscard]] QString notesHtml(const bridge::WorkspaceSnapshot& snapshot,
    const core::PlacedIncident& placed, const ui::Tokens& tokens);

}  // namespace firstbad::views
