// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the window or one view into a PNG when everything is read, judged and drawn.
#pragma once

#include "app/workbench/options.h"
#include "ui/shell/main_window.h"

namespace firstbad::workbench {

/// Runs the event loop until the picture is written; the exit status of the program.
[[nodiscard]] int takeScreenshot(
    ui::Session& session, ui::MainWindow& window, const Options& options);

}  // namespace firstbad::workbench
