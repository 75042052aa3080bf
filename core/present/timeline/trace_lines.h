// SPDX-License-Identifier: GPL-3.0-or-later
// Turns one trace into lines and rail marks for one view: exact where points are few, extremes of
// each pixel column where they are many.
//
// Pure; O(pixels); any thread.
#pragma once

#include "core/present/timeline/frame.h"

namespace firstbad::core {

struct TraceRequest {
    const TimelineTrace& trace;
    const AxisMap& axis;
    const TimelineView& view;
    std::size_t attempt = 0;
    std::optional<std::int64_t> givenUpFrom;
};

/// Appends to the panel; false when points had to be summarised.
[[nodiscard]] bool addTrace(PanelFrame& panel, const TraceRequest& request);

}  // namespace firstbad::core
