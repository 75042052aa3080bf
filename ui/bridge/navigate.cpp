// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/navigate.h"

#include "ui/bridge/text.h"

#include <algorithm>

namespace firstbad::bridge {

namespace {

const core::IncidentRow* findRow(const WorkspaceSnapshot& snapshot, const QString& incident)
{
    const auto& rows = snapshot.incidents.rows;
    const auto found = std::find_if(rows.begin(), rows.end(),
        [&incident](const core::IncidentRow& row) { return qText(row.id) == incident; });
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace

void focusOnIncident(
    IncidentFocus& focus, const WorkspaceSnapshot& snapshot, const QString& incident)
{
    const core::IncidentRow* row = findRow(snapshot, incident);
    if (row == nullptr)
        return;
    FocusState next = focus.state();
    next.run = static_cast<int>(row->run);
    next.attempt = static_cast<int>(row->attempt);
    next.incident = incident;
    next.hasRange = true;
    next.from = static_cast<double>(row->window.from);
    next.to = static_cast<double>(row->window.to);
    focus.setState(next);
}

bool focusOnNeighbour(IncidentFocus& focus, const WorkspaceSnapshot& snapshot, int direction)
{
    const auto& list = snapshot.incidents;
    const std::size_t serious = list.rows.size() - list.benign;
    const auto count = static_cast<int>(serious > 0 ? serious : list.rows.size());
    if (count == 0)
        return false;
    const core::IncidentRow* current = findRow(snapshot, focus.state().incident);
    const int at = current == nullptr ? (direction > 0 ? -1 : 0)
                                      : static_cast<int>(current - list.rows.data());
    const int next = (at + direction + count) % count;
    focusOnIncident(focus, snapshot, qText(list.rows[static_cast<std::size_t>(next)].id));
    return true;
}

bool focusOnNextAttempt(IncidentFocus& focus, const WorkspaceSnapshot& snapshot, int direction)
{
    const auto& runs = snapshot.assessment.dataset->runs;
    const auto run = static_cast<std::size_t>(std::max(focus.state().run, 0));
    if (run >= runs.size() || runs[run]->attempts.empty())
        return false;
    const auto last = static_cast<int>(runs[run]->attempts.size()) - 1;
    focus.setAttempt(std::clamp(focus.state().attempt + direction, 0, last));
    return true;
}

const core::IncidentRow* incidentInFocus(
    const IncidentFocus& focus, const WorkspaceSnapshot* snapshot)
{
    return snapshot == nullptr ? nullptr : findRow(*snapshot, focus.state().incident);
}

core::PlacedIncident placedInFocus(const IncidentFocus& focus, const WorkspaceSnapshot* snapshot)
{
    if (snapshot == nullptr)
        return {};
    for (const core::PlacedIncident& placed : core::incidentsInOrder(snapshot->assessment)) {
        if (qText(placed.incident->id) == focus.state().incident)
            return placed;
    }
    return {};
}

}  // namespace firstbad::bridge
