// SPDX-License-Identifier: GPL-3.0-or-later
// ViewEntry: one line of the table of views, from which menu, dock and shortcut derive.
#pragma once

class QWidget;

namespace firstbad::ui {

struct ViewEntry {
    const char* id = "";  ///< stable: layouts are saved under it
    const char* title = "";
    const char* shortcut = "";
    QWidget* (*create)(QWidget* parent) = nullptr;
};

}  // namespace firstbad::ui
