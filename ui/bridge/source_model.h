// SPDX-License-Identifier: GPL-3.0-or-later
// SourceModel: what was read, and below each source what was skipped and where.
//
// GUI thread only; a view of the snapshot, computes nothing. Columns: name, kind, records.
#pragma once

#include <memory>
#include <QAbstractItemModel>

namespace firstbad::core {  // forward declared on purpose: moc 6.4 cannot parse <compare>
struct SkippedPart;
struct SourceInfo;
}  // namespace firstbad::core

namespace firstbad::bridge {

struct WorkspaceSnapshot;

class SourceModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { NameColumn, KindColumn, RecordsColumn, ColumnCount };
    enum Role { HealthRole = Qt::UserRole + 1, SourceRole, LineRole };
    enum class Health { Good, Notes, Bad, Ignored };

    using QAbstractItemModel::QAbstractItemModel;

    void setSnapshot(std::shared_ptr<const WorkspaceSnapshot> snapshot);

    [[nodiscard]] QModelIndex index(
        int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] static QVariant sourceData(const core::SourceInfo& source, int column, int role);
    [[nodiscard]] static QVariant partData(const core::SkippedPart& part, int column, int role);

    std::shared_ptr<const WorkspaceSnapshot> m_snapshot;
};

}  // namespace firstbad::bridge
