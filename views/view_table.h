// SPDX-License-Identifier: GPL-3.0-or-later
// The table of views. Menu, dock, shortcut, saved layout and the render test derive from it.
#pragma once

#include "ui/shell/view_entry.h"

#include <QList>

namespace firstbad::views {

[[nodiscard]] QList<ui::ViewEntry> viewTable();

}  // namespace firstbad::views
