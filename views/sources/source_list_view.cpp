// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sources/source_list_view.h"

#include "core/present/look.h"
#include "ui/bridge/incident_focus.h"
#include "ui/bridge/source_model.h"
#include "ui/bridge/text.h"
#include "ui/bridge/workspace.h"
#include "ui/bridge/workspace_snapshot.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/tree_style.h"

#include <QHeaderView>
#include <QIdentityProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace firstbad::views {

namespace {

constexpr int kIconSize = 14;

/// Adds the mark of a source's health: colours and shapes are not the model's business.
class MarkedSources : public QIdentityProxyModel
{
public:
    MarkedSources(const ui::Theme& theme, QObject* parent)
        : QIdentityProxyModel(parent)
        , m_theme(theme)
    { }

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override
    {
        if (role != Qt::DecorationRole || index.column() != bridge::SourceModel::NameColumn)
            return QIdentityProxyModel::data(index, role);
        const ui::Tokens& t = m_theme.tokens();
        using Health = bridge::SourceModel::Health;
        switch (static_cast<Health>(
            QIdentityProxyModel::data(index, bridge::SourceModel::HealthRole).toInt())) {
        case Health::Good:
            return ui::Theme::iconPixmap(QStringLiteral("check"), t.committed, kIconSize, 2.0);
        case Health::Notes:
            return ui::glyphPixmap(ui::Glyph::Unknown, kIconSize, 2.0, t);
        case Health::Bad:
            return ui::glyphPixmap(ui::Glyph::Fault, kIconSize, 2.0, t);
        case Health::Ignored:
            break;
        }
        return ui::glyphPixmap(ui::Glyph::Missing, kIconSize, 2.0, t);
    }

private:
    const ui::Theme& m_theme;
};

}  // namespace

SourceListView::SourceListView(const ui::ViewContext& context, QWidget* parent)
    : ViewWidget(parent)
    , m_context(context)
    , m_model(new bridge::SourceModel(this))
    , m_tree(new QTreeView(this))
{
    auto* marked = new MarkedSources(context.theme, this);
    marked->setSourceModel(m_model);
    m_tree->setObjectName(QStringLiteral("sourceTree"));
    m_tree->setAccessibleName(tr("Sources"));
    m_tree->setModel(marked);
    ui::styleTree(*m_tree, context.theme);
    m_tree->header()->setSectionResizeMode(
        bridge::SourceModel::NameColumn, QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(bridge::SourceModel::KindColumn, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(
        bridge::SourceModel::RecordsColumn, QHeaderView::ResizeToContents);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_tree);
    setFocusProxy(m_tree);
    connect(m_tree, &QTreeView::activated, this, &SourceListView::openText);
    connect(m_tree, &QTreeView::doubleClicked, this, &SourceListView::openText);
    connect(&context.workspace, &bridge::Workspace::snapshotChanged, this,
        &SourceListView::takeSnapshot);
    takeSnapshot();
}

void SourceListView::takeSnapshot()
{
    const auto snapshot = m_context.workspace.snapshot();
    m_model->setSnapshot(snapshot);
    if (!snapshot) {
        setSubtitle({});
        setNotice({});
        return;
    }
    const auto& dataset = *snapshot->assessment.dataset;
    setSubtitle(QString::number(dataset.sources.size()));
    for (const core::SourceInfo& source : dataset.sources) {
        if (source.state == core::SourceState::Damaged
            || source.state == core::SourceState::Unsupported) {
            setNotice({bridge::qText(source.message), bridge::qText(source.hint), true});
            return;
        }
    }
    setNotice({});
}

void SourceListView::openText(const QModelIndex& index)
{
    const int source = index.data(bridge::SourceModel::SourceRole).toInt();
    const qint64 line = index.data(bridge::SourceModel::LineRole).toLongLong();
    m_context.focus.showSource(source, qMax<qint64>(line, 1));
}

}  // namespace firstbad::views
