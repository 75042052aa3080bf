// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the lines of a frame into curves with pens, on the warped axis. Pure; O(points drawn).
#pragma once

#include "views/timeline/plot_panel.h"
#include "views/timeline/scene.h"

namespace firstbad::views {

/// The attempt in focus first (on top), then the others.
[[nodiscard]] QList<PlotCurve> curvesOf(
    const TimelineScene& scene, int panel, const ui::Tokens& tokens);

}  // namespace firstbad::views
