// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/attempt_model.h"

#include "ui/bridge/text.h"
#include "ui/bridge/workspace_snapshot.h"

namespace firstbad::bridge {

namespace {

QString endText(core::AttemptEnd end)
{
    switch (end) {
    case core::AttemptEnd::Finished:
        return AttemptModel::tr("finished");
    case core::AttemptEnd::Exception:
        return AttemptModel::tr("exception");
    case core::AttemptEnd::Signal:
        return AttemptModel::tr("stopped");
    case core::AttemptEnd::Timeout:
        return AttemptModel::tr("timeout");
    case core::AttemptEnd::Unknown:
        break;
    }
    return {};
}

QString stepsText(const core::AttemptRow& row)
{
    if (!row.first || !row.last)
        return AttemptModel::tr("no steps");
    const QString steps = QStringLiteral("%1 – %2").arg(grouped(*row.first), grouped(*row.last));
    return row.givenUpSteps > 0
        ? AttemptModel::tr("%1, given up %2").arg(steps, grouped(row.givenUpSteps))
        : steps;
}

}  // namespace

void AttemptModel::setSnapshot(std::shared_ptr<const WorkspaceSnapshot> snapshot)
{
    beginResetModel();
    m_snapshot = std::move(snapshot);
    m_nodes.clear();
    m_roots.clear();
    std::vector<int> path;  // the newest node of each depth
    const std::size_t count = m_snapshot ? m_snapshot->attempts.size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t depth = std::min(m_snapshot->attempts[i].depth, path.size());
        path.resize(depth);
        Node node;
        node.parent = path.empty() ? -1 : path.back();
        auto& siblings
            = path.empty() ? m_roots : m_nodes[static_cast<std::size_t>(path.back())].children;
        node.row = static_cast<int>(siblings.size());
        siblings.push_back(static_cast<int>(i));
        path.push_back(static_cast<int>(i));
        m_nodes.push_back(std::move(node));
    }
    endResetModel();
}

const std::vector<int>& AttemptModel::childrenOf(const QModelIndex& parent) const
{
    return parent.isValid() ? m_nodes[parent.internalId()].children : m_roots;
}

const core::AttemptRow* AttemptModel::attemptAt(const QModelIndex& index) const
{
    return index.isValid() && m_snapshot ? &m_snapshot->attempts[index.internalId()] : nullptr;
}

QModelIndex AttemptModel::indexOf(int run, int attempt) const
{
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const auto& row = m_snapshot->attempts[i];
        if (static_cast<int>(row.run) == run && static_cast<int>(row.attempt) == attempt)
            return createIndex(m_nodes[i].row, 0, static_cast<quintptr>(i));
    }
    return {};
}

QModelIndex AttemptModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const int node = childrenOf(parent)[static_cast<std::size_t>(row)];
    return createIndex(row, column, static_cast<quintptr>(node));
}

QModelIndex AttemptModel::parent(const QModelIndex& child) const
{
    if (!child.isValid())
        return {};
    const int parent = m_nodes[child.internalId()].parent;
    if (parent < 0)
        return {};
    return createIndex(
        m_nodes[static_cast<std::size_t>(parent)].row, 0, static_cast<quintptr>(parent));
}

int AttemptModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(childrenOf(parent).size());
}

int AttemptModel::columnCount(const QModelIndex& /*parent*/) const
{
    return ColumnCount;
}

QVariant AttemptModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const core::AttemptRow& row = *attemptAt(index);
    const bool isText = role == Qt::DisplayRole || role == Qt::AccessibleTextRole;
    if (role == Qt::ToolTipRole && !row.why.empty())
        return qText(row.why);
    if (!isText)
        return {};
    switch (index.column()) {
    case NameColumn:
        return qText(row.name);
    case StepsColumn:
        return stepsText(row);
    default:
        return endText(row.end);
    }
}

QVariant AttemptModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("attempt") : section == StepsColumn ? tr("steps") : tr("end");
}

}  // namespace firstbad::bridge
