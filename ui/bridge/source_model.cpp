// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/source_model.h"

#include "core/present/look.h"
#include "ui/bridge/text.h"
#include "ui/bridge/workspace_snapshot.h"

namespace firstbad::bridge {

namespace {

constexpr quintptr kTop = 0;  // the id of a source; a part's is its source + 1

SourceModel::Health healthOf(const core::SourceInfo& source)
{
    if (source.state == core::SourceState::Ignored)
        return SourceModel::Health::Ignored;
    if (source.state != core::SourceState::Read)
        return SourceModel::Health::Bad;
    return source.skipped.empty() ? SourceModel::Health::Good : SourceModel::Health::Notes;
}

QString placeOf(const core::SkippedPart& part)
{
    if (part.line > 0)
        return SourceModel::tr("line %1").arg(grouped(static_cast<qint64>(part.line)));
    return SourceModel::tr("byte %1").arg(grouped(static_cast<qint64>(part.offset)));
}

QString kindOf(const core::SourceInfo& source)
{
    if (source.state != core::SourceState::Read)
        return qText(toString(source.state));
    if (source.skipped.empty())
        return qText(source.format);
    return SourceModel::tr(
        "%1, %n part(s) skipped", nullptr, static_cast<int>(source.skipped.size()))
        .arg(qText(source.format));
}

QString tipOf(const core::SourceInfo& source)
{
    QString tip = qText(source.path);
    if (!source.encoding.empty())
        tip += QStringLiteral("\n%1, %2")
                   .arg(qText(source.encoding), qText(core::humanBytes(source.bytes)));
    if (!source.message.empty())
        tip += QStringLiteral("\n") + qText(source.message);
    if (!source.hint.empty())
        tip += QStringLiteral("\n") + qText(source.hint);
    return tip;
}

}  // namespace

void SourceModel::setSnapshot(std::shared_ptr<const WorkspaceSnapshot> snapshot)
{
    beginResetModel();
    m_snapshot = std::move(snapshot);
    endResetModel();
}

QModelIndex SourceModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(
        row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kTop);
}

QModelIndex SourceModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == kTop)
        return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, kTop);
}

int SourceModel::rowCount(const QModelIndex& parent) const
{
    if (!m_snapshot || parent.column() > 0)
        return 0;
    const auto& sources = m_snapshot->assessment.dataset->sources;
    if (!parent.isValid())
        return static_cast<int>(sources.size());
    if (parent.internalId() != kTop)
        return 0;
    return static_cast<int>(sources[static_cast<std::size_t>(parent.row())].skipped.size());
}

int SourceModel::columnCount(const QModelIndex& /*parent*/) const
{
    return ColumnCount;
}

QVariant SourceModel::sourceData(const core::SourceInfo& source, int column, int role)
{
    if (role == HealthRole)
        return static_cast<int>(healthOf(source));
    if (role == Qt::ToolTipRole)
        return tipOf(source);
    if (role == Qt::AccessibleTextRole)
        return QStringLiteral("%1, %2").arg(qText(source.path), kindOf(source));
    if (role == Qt::TextAlignmentRole && column == RecordsColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case NameColumn:
        return fileName(qText(source.path));
    case KindColumn:
        return kindOf(source);
    default:
        return source.records > 0 ? grouped(static_cast<qint64>(source.records)) : QString();
    }
}

QVariant SourceModel::partData(const core::SkippedPart& part, int column, int role)
{
    if (role == HealthRole)
        return static_cast<int>(part.mayBeGrowing ? Health::Good : Health::Notes);
    if (role == LineRole)
        return QVariant::fromValue(static_cast<qint64>(part.line));
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return QStringLiteral("%1: %2").arg(placeOf(part), qText(part.reason));
    if (role != Qt::DisplayRole)
        return {};
    return column == NameColumn ? placeOf(part)
        : column == KindColumn  ? qText(part.reason)
                                : QString();
}

QVariant SourceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto& sources = m_snapshot->assessment.dataset->sources;
    const bool isSource = index.internalId() == kTop;
    const auto source = static_cast<std::size_t>(
        isSource ? index.row() : static_cast<int>(index.internalId()) - 1);
    if (role == SourceRole)
        return static_cast<int>(source);
    if (isSource)
        return sourceData(sources[source], index.column(), role);
    return partData(
        sources[source].skipped[static_cast<std::size_t>(index.row())], index.column(), role);
}

QVariant SourceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("source")
        : section == KindColumn  ? tr("what")
                                 : tr("records");
}

}  // namespace firstbad::bridge
