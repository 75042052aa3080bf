// SPDX-License-Identifier: GPL-3.0-or-later
// IncidentListView: the incidents, worst first; choosing one moves the focus there.
//
// GUI thread only.
#pragma once

#include "ui/shell/view_entry.h"
#include "ui/widgets/pane.h"

class QListView;

namespace firstbad::bridge {
class IncidentModel;
}  // namespace firstbad::bridge

namespace firstbad::views {

class IncidentListView : public ui::ViewWidget
{
    Q_OBJECT
public:
    IncidentListView(const ui::ViewContext& context, QWidget* parent);

private:
    void takeSnapshot();
    void followFocus();
    void showState();
    void choose(const QModelIndex& index);

    ui::ViewContext m_context;
    bridge::IncidentModel* m_model;
    QListView* m_list;
    bool m_following = false;
};

}  // namespace firstbad::views
