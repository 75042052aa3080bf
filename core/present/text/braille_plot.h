// SPDX-License-Identifier: GPL-3.0-or-later
// drawPlot(): stacked panels over one step axis in braille, with rails for what has no height.
//
// Pure; linear in the points shown; any thread. Each dot column shows the smallest and the largest
// finite value of its steps, so a spike of one sample is seen at any zoom. A non-finite or missing
// value always gets its mark in a rail, and the line is not drawn across it. Steps that a log left
// out stay a gap.
#pragma once

#include "core/present/text/glyph_table.h"
#include "core/present/text/plot_axis.h"
#include "core/present/text/text_style.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace firstbad::core {

/// Points in file order; the memory is the caller's. Two segments are never joined by a line.
struct PlotSegment {
    std::span<const std::int64_t> steps;
    std::span<const double> values;
    std::span<const std::int64_t> missingSteps;
};

struct PlotPanel {
    std::string label;
    PlotScale scale = PlotScale::Linear;
    Role role = Role::Plain;
    bool holdsValue = false;  ///< a value holds until the next one (loss scale, learning rate)
    int rows = 4;
    std::vector<PlotSegment> segments;
};

struct PlotMark {
    std::int64_t step = 0;
    Mark mark = Mark::Event;
};

/// A row of marks below the panels, for example saves.
struct PlotRail {
    std::string label;
    std::vector<PlotMark> marks;
};

struct PlotLabel {
    std::int64_t step = 0;
    std::string text;
    bool firstBad = false;  ///< stands under the first-bad mark
};

struct Plot {
    std::int64_t fromStep = 0;  ///< both ends included
    std::int64_t toStep = 0;
    std::vector<PlotPanel> panels;
    std::vector<PlotRail> rails;
    std::vector<PlotLabel> labels;  ///< steps named below the axis, as far as there is room
};

[[nodiscard]] StyledText drawPlot(const Plot& plot, const TextStyle& style);

}  // namespace firstbad::core
