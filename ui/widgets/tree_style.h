// SPDX-License-Identifier: GPL-3.0-or-later
// styleTree(): what all trees of the workbench share: row height, no frame, one click to choose.
#pragma once

class QTreeView;

namespace firstbad::ui {

class Theme;

/// Follows changes of the theme as long as the tree lives.
void styleTree(QTreeView& tree, Theme& theme);

}  // namespace firstbad::ui
