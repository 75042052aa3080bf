// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/incidents/incident_list_view.h"

#include "ui/bridge/incident_focus.h"
#include "ui/bridge/incident_model.h"
#include "ui/bridge/navigate.h"
#include "ui/bridge/workspace.h"
#include "ui/widgets/theme.h"
#include "views/incidents/incident_delegate.h"

#include <QListView>
#include <QScopedValueRollback>
#include <QVBoxLayout>

namespace firstbad::views {

IncidentListView::IncidentListView(const ui::ViewContext& context, QWidget* parent)
    : ViewWidget(parent)
    , m_context(context)
    , m_model(new bridge::IncidentModel(this))
    , m_list(new QListView(this))
{
    m_list->setObjectName(QStringLiteral("incidentList"));
    m_list->setAccessibleName(tr("Incidents, worst first"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new IncidentDelegate(*m_model, context.theme, m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_list);
    setFocusProxy(m_list);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
        &IncidentListView::choose);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) {
        if (m_model->incidentAt(index.row()) != nullptr)
            return;
        m_model->setBenignShown(!m_model->isBenignShown());
        followFocus();
    });
    connect(&context.workspace, &bridge::Workspace::snapshotChanged, this,
        &IncidentListView::takeSnapshot);
    connect(
        &context.workspace, &bridge::Workspace::stateChanged, this, &IncidentListView::showState);
    connect(&context.focus, &bridge::IncidentFocus::changed, this, &IncidentListView::followFocus);
    connect(&context.theme, &ui::Theme::changed, m_list, &QListView::doItemsLayout);
    takeSnapshot();
}

void IncidentListView::takeSnapshot()
{
    {
        const QScopedValueRollback<bool> guard(m_following, true);
        m_model->setSnapshot(m_context.workspace.snapshot());
    }
    followFocus();
    showState();
}

void IncidentListView::followFocus()
{
    const QScopedValueRollback<bool> guard(m_following, true);
    const QString incident = m_context.focus.state().incident;
    int row = m_model->rowOf(incident);
    if (row < 0 && !incident.isEmpty()) {
        m_model->setBenignShown(true);  // what is in focus is in the list
        row = m_model->rowOf(incident);
    }
    if (row < 0) {
        m_list->clearSelection();
        return;
    }
    m_list->setCurrentIndex(m_model->index(row));
}

void IncidentListView::choose(const QModelIndex& index)
{
    const auto snapshot = m_context.workspace.snapshot();
    if (m_following || !snapshot || !index.isValid())
        return;
    const QString id = index.data(bridge::IncidentModel::IdRole).toString();
    if (!id.isEmpty())
        bridge::focusOnIncident(m_context.focus, *snapshot, id);
}

void IncidentListView::showState()
{
    const auto snapshot = m_context.workspace.snapshot();
    if (!snapshot) {
        setSubtitle({});
        setNotice({});
        return;
    }
    const auto& list = snapshot->incidents;
    if (!snapshot->isJudged) {
        setSubtitle(tr("judging"));
        return;
    }
    const auto serious = static_cast<int>(list.rows.size() - list.benign);
    setSubtitle(tr("%1 + %2 benign").arg(serious).arg(list.benign));
    if (list.rows.empty())
        setNotice({tr("Nothing was found."),
            tr("The rules saw no incident in what was read; what a log cannot show is said under "
               "its source."),
            false});
    else
        setNotice({});
}

}  // namespace firstbad::views
