// SPDX-License-Identifier: GPL-3.0-or-later
// AttemptView: the tree of attempts; choosing one moves the focus. GUI thread only.
#pragma once

#include "ui/shell/view_entry.h"
#include "ui/widgets/pane.h"

class QTreeView;

namespace firstbad::bridge {
class AttemptModel;
}  // namespace firstbad::bridge

namespace firstbad::views {

class AttemptView : public ui::ViewWidget
{
    Q_OBJECT
public:
    AttemptView(const ui::ViewContext& context, QWidget* parent);

private:
    void takeSnapshot();
    void followFocus();
    void choose(const QModelIndex& index);

    ui::ViewContext m_context;
    bridge::AttemptModel* m_model;
    QTreeView* m_tree;
    bool m_following = false;
};

}  // namespace firstbad::views
