// SPDX-License-Identifier: GPL-3.0-or-later
// IncidentModel: the list of incidents; benign ones are one summary row until they are asked for.
//
// GUI thread only; a view of the snapshot, computes nothing.
#pragma once

#include <memory>
#include <QAbstractListModel>
#include <QString>
#include <vector>

namespace firstbad::core {  // forward declared on purpose: moc 6.4 cannot parse <compare>
struct IncidentRow;
}  // namespace firstbad::core

namespace firstbad::bridge {

struct WorkspaceSnapshot;

class IncidentModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { IdRole = Qt::UserRole + 1, IsSummaryRole };

    using QAbstractListModel::QAbstractListModel;

    void setSnapshot(std::shared_ptr<const WorkspaceSnapshot> snapshot);
    void setBenignShown(bool shown);
    [[nodiscard]] bool isBenignShown() const noexcept { return m_benignShown; }

    /// nullptr for the summary row.
    [[nodiscard]] const core::IncidentRow* incidentAt(int row) const;
    [[nodiscard]] int rowOf(const QString& id) const;
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    [[nodiscard]] int listed() const;

    std::shared_ptr<const WorkspaceSnapshot> m_snapshot;
    bool m_benignShown = false;
};

}  // namespace firstbad::bridge
