// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/attempts/attempt_view.h"

#include "ui/bridge/attempt_model.h"
#include "ui/bridge/incident_focus.h"
#include "ui/bridge/workspace.h"
#include "ui/bridge/workspace_snapshot.h"
#include "ui/widgets/tree_style.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTreeView>
#include <QVBoxLayout>

namespace firstbad::views {

AttemptView::AttemptView(const ui::ViewContext& context, QWidget* parent)
    : ViewWidget(parent)
    , m_context(context)
    , m_model(new bridge::AttemptModel(this))
    , m_tree(new QTreeView(this))
{
    m_tree->setObjectName(QStringLiteral("attemptTree"));
    m_tree->setAccessibleName(tr("Attempts"));
    m_tree->setModel(m_model);
    ui::styleTree(*m_tree, context.theme);
    m_tree->header()->setSectionResizeMode(
        bridge::AttemptModel::NameColumn, QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(bridge::AttemptModel::StepsColumn, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(
        bridge::AttemptModel::EndColumn, QHeaderView::ResizeToContents);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_tree);
    setFocusProxy(m_tree);
    connect(
        m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &AttemptView::choose);
    connect(
        &context.workspace, &bridge::Workspace::snapshotChanged, this, &AttemptView::takeSnapshot);
    connect(&context.focus, &bridge::IncidentFocus::changed, this, &AttemptView::followFocus);
    takeSnapshot();
}

void AttemptView::takeSnapshot()
{
    const auto snapshot = m_context.workspace.snapshot();
    {
        const QScopedValueRollback<bool> guard(m_following, true);
        m_model->setSnapshot(snapshot);
        m_tree->expandAll();
    }
    setSubtitle(snapshot ? QString::number(snapshot->attempts.size()) : QString());
    followFocus();
}

void AttemptView::followFocus()
{
    const QScopedValueRollback<bool> guard(m_following, true);
    const auto& focus = m_context.focus.state();
    m_tree->setCurrentIndex(m_model->indexOf(focus.run, focus.attempt));
}

void AttemptView::choose(const QModelIndex& index)
{
    const auto* row = m_model->attemptAt(index);
    if (m_following || row == nullptr)
        return;
    bridge::FocusState next = m_context.focus.state();
    next.run = static_cast<int>(row->run);
    next.attempt = static_cast<int>(row->attempt);
    // Its steps have to be in view, with a little of what was before.
    if (row->first && row->last) {
        const auto first = static_cast<double>(*row->first);
        const auto last = static_cast<double>(*row->last);
        const bool inView = next.hasRange && next.from <= last && next.to >= first;
        const double margin = (last - first) * 0.05;
        if (!inView) {
            next.hasRange = true;
            next.from = first - margin;
            next.to = last + margin;
        }
    }
    m_context.focus.setState(next);
}

}  // namespace firstbad::views
