// SPDX-License-Identifier: GPL-3.0-or-later
// SourceListView: sources with what was skipped below them; opens their text. GUI thread only.
#pragma once

#include "ui/shell/view_entry.h"
#include "ui/widgets/pane.h"

class QTreeView;

namespace firstbad::bridge {
class SourceModel;
}  // namespace firstbad::bridge

namespace firstbad::views {

class SourceListView : public ui::ViewWidget
{
    Q_OBJECT
public:
    SourceListView(const ui::ViewContext& context, QWidget* parent);

private:
    void takeSnapshot();
    void openText(const QModelIndex& index);

    ui::ViewContext m_context;
    bridge::SourceModel* m_model;
    QTreeView* m_tree;
};

}  // namespace firstbad::views
