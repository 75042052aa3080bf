// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: menus, docks and the start page of the workbench.
//
// GUI thread only; owns its views. Which views there are is handed in, so that the shell knows
// none.
#pragma once

#include "ui/shell/view_entry.h"

#include <QList>
#include <QMainWindow>

class QMenu;

namespace firstbad::ui {

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(const QList<ViewEntry>& views, QWidget* parent = nullptr);

private slots:
    void showAbout();

private:
    void createActions();
    void createDocks(const QList<ViewEntry>& views);
    void addDock(const ViewEntry& view);

    QMenu* m_viewMenu = nullptr;
};

}  // namespace firstbad::ui
