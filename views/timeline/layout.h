// SPDX-License-Identifier: GPL-3.0-or-later
// Places the parts of the timeline in a size: strip, panels, rail, axis. Pure; GUI thread.
#pragma once

#include "views/timeline/scene.h"

#include <QSizeF>

namespace firstbad::views {

/// Reads timeline, frame and focus of the scene; fills nothing of it.
[[nodiscard]] TimelineLayout layOut(const TimelineScene& scene, QSizeF size);

/// Range and ticks of each panel for the heights of the layout.
[[nodiscard]] QList<PanelScale> scalesOf(const TimelineScene& scene, bool fullRange);

}  // namespace firstbad::views
