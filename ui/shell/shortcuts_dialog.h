// SPDX-License-Identifier: GPL-3.0-or-later
// ShortcutsDialog: every command of the window with its keys, from the actions themselves.
#pragma once

#include <QDialog>

class QAction;

namespace firstbad::ui {

class ShortcutsDialog : public QDialog
{
    Q_OBJECT
public:
    ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent);
};

}  // namespace firstbad::ui
