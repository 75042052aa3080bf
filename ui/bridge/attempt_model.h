// SPDX-License-Identifier: GPL-3.0-or-later
// AttemptModel: the attempts of all runs as a tree: a restart stands below what it continues.
//
// GUI thread only; a view of the snapshot, computes nothing. Columns: attempt, steps, end.
#pragma once

#include <memory>
#include <QAbstractItemModel>
#include <vector>

namespace firstbad::core {  // forward declared on purpose: moc 6.4 cannot parse <compare>
struct AttemptRow;
}  // namespace firstbad::core

namespace firstbad::bridge {

struct WorkspaceSnapshot;

class AttemptModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { NameColumn, StepsColumn, EndColumn, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    void setSnapshot(std::shared_ptr<const WorkspaceSnapshot> snapshot);
    [[nodiscard]] const core::AttemptRow* attemptAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(int run, int attempt) const;

    [[nodiscard]] QModelIndex index(
        int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role) const override;

private:
    struct Node {
        int parent = -1;  // index into m_nodes
        int row = 0;  // among its siblings
        std::vector<int> children;
    };
    [[nodiscard]] const std::vector<int>& childrenOf(const QModelIndex& parent) const;

    std::shared_ptr<const WorkspaceSnapshot> m_snapshot;
    std::vector<Node> m_nodes;  // parallel to the snapshot's attempts
    std::vector<int> m_roots;
};

}  // namespace firstbad::bridge
