// SPDX-License-Identifier: GPL-3.0-or-later
// StartPage: what the window shows when nothing is open: what firstbad is, and what works today.
//
// GUI thread only; reads nothing.
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace firstbad::ui {

class StartPage : public QWidget
{
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

private:
    void addTitle(QVBoxLayout& column);
    void addWhatWorks(QVBoxLayout& column);
};

}  // namespace firstbad::ui
