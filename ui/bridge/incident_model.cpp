// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/incident_model.h"

#include "ui/bridge/text.h"
#include "ui/bridge/workspace_snapshot.h"

#include <map>

namespace firstbad::bridge {

namespace {

QString sentenceOf(const core::IncidentRow& row)
{
    return IncidentModel::tr("%1, %2 %3, attempt %4, from step %5: %6")
        .arg(qText(toString(row.kind)), qText(toString(row.verdict)))
        .arg(row.confidence, 0, 'f', 1)
        .arg(qText(row.attemptName), grouped(row.onset), qText(row.title));
}

}  // namespace

void IncidentModel::setSnapshot(std::shared_ptr<const WorkspaceSnapshot> snapshot)
{
    beginResetModel();
    m_snapshot = std::move(snapshot);
    endResetModel();
}

void IncidentModel::setBenignShown(bool shown)
{
    if (shown == m_benignShown)
        return;
    beginResetModel();
    m_benignShown = shown;
    endResetModel();
}

int IncidentModel::listed() const
{
    const auto& list = m_snapshot->incidents;
    return static_cast<int>(m_benignShown ? list.rows.size() : list.rows.size() - list.benign);
}

int IncidentModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid() || !m_snapshot)
        return 0;
    return listed() + (m_snapshot->incidents.benign > 0 ? 1 : 0);
}

const core::IncidentRow* IncidentModel::incidentAt(int row) const
{
    if (!m_snapshot || row < 0 || row >= rowCount())
        return nullptr;
    const auto& list = m_snapshot->incidents;
    const int serious = static_cast<int>(list.rows.size() - list.benign);
    if (row == serious && list.benign > 0)
        return nullptr;  // the summary stands between the others and the benign
    const int at = row < serious ? row : row - 1;
    return &list.rows[static_cast<std::size_t>(at)];
}

int IncidentModel::rowOf(const QString& id) const
{
    for (int row = 0; row < rowCount(); ++row) {
        const auto* incident = incidentAt(row);
        if (incident != nullptr && qText(incident->id) == id)
            return row;
    }
    return -1;
}

QString IncidentModel::summary() const
{
    if (!m_snapshot)
        return {};
    std::map<QString, int> kinds;
    for (const auto& row : m_snapshot->incidents.rows) {
        if (row.verdict == core::IncidentClass::Benign)
            ++kinds[qText(toString(row.kind))];
    }
    QStringList parts;
    for (const auto& [kind, count] : kinds)
        parts.append(QStringLiteral("%1 ×%2").arg(kind).arg(count));
    return parts.join(QStringLiteral(", "));
}

QVariant IncidentModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto* row = incidentAt(index.row());
    if (role == IsSummaryRole)
        return row == nullptr;
    if (role == Qt::DisplayRole)
        return row == nullptr ? summary() : qText(toString(row->kind));
    if (row == nullptr)
        return role == Qt::ToolTipRole || role == Qt::AccessibleTextRole
            ? QVariant(tr("Benign: %1").arg(summary()))
            : QVariant();
    if (role == IdRole)
        return qText(row->id);
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return sentenceOf(*row);
    return {};
}

}  // namespace firstbad::bridge
