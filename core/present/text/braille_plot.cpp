// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/braille_plot.h"

#include "core/base/text.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/plot_raster.h"
#include "core/present/text/text_width.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

constexpr int kGutter = 20;  // label, value, axis line
constexpr int kLeastPlot = 20;

std::string_view scaleName(PlotScale scale)
{
    switch (scale) {
    case PlotScale::Log2:
        return "log2";
    case PlotScale::Log10:
        return "log";
    case PlotScale::Linear:
        break;
    }
    return "";
}

/// The value beside a row: at the ends of the axis, and in the middle where there is room.
std::string tickOf(const PlotAxis& axis, int row, int rows)
{
    const bool middle = rows >= 4 && row == rows / 2;
    if (row != 0 && row != rows - 1 && !middle)
        return {};
    return axis.label(rows == 1 ? 0.5 : 1.0 - static_cast<double>(row) / (rows - 1));
}

/// A linear axis cannot show a blow-up and what was before it.
PlotScale scaleFor(const PlotPanel& panel, const std::optional<ValueRange>& range)
{
    constexpr double kTooWide = 100.0;
    const bool spansDecades = range && range->low > 0.0 && range->high / kTooWide > range->low;
    return panel.scale == PlotScale::Linear && spansDecades ? PlotScale::Log10 : panel.scale;
}

struct DrawnPanel {
    PlotAxis axis;
    DotRaster raster;
};

void addPanelRows(
    StyledText& out, const PlotPanel& panel, const DrawnPanel& drawn, const TextStyle& style)
{
    for (int row = 0; row < panel.rows; ++row) {
        LineBuilder line(style);
        if (row == 0)
            line.add(
                cutToWidth(showable(escapedForTerminal(panel.label), style), 9, ""), panel.role);
        if (row == 1 || panel.rows == 1)
            line.add(panel.rows == 1 ? "" : scaleName(drawn.axis.scale()), Role::Muted);
        const std::string tick = tickOf(drawn.axis, row, panel.rows);
        line.padTo(kGutter - 2 - displayWidth(tick)).add(tick, Role::Muted);
        line.add(tick.empty() ? " │" : " ┤", Role::Muted);
        std::string dots;
        for (int character = 0; character < style.columns - kGutter; ++character)
            dots += drawn.raster.letter(character, row, style.unicode);
        line.add(dots, panel.role);
        out.push_back(line.take());
    }
}

using RailCells = std::vector<std::optional<Mark>>;

void addRail(StyledText& out, const TextStyle& style, std::string_view head, std::string_view label,
    const RailCells& cells)
{
    if (std::none_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.has_value(); }))
        return;
    LineBuilder line(style);
    line.add(head, Role::Muted);
    const std::string shown = cutToWidth(showable(escapedForTerminal(label), style), 12, "");
    line.padTo(kGutter - 2 - displayWidth(shown)).add(shown).padTo(kGutter);
    for (const auto& cell : cells) {
        if (cell)
            line.add(*cell);
        else
            line.add(" ");
    }
    out.push_back(line.take());
}

/// What the marks of a rail mean: the head of its row.
std::string railHead(const RailCells& cells)
{
    std::string head;
    for (const Mark mark : {Mark::NotANumber, Mark::PlusInfinity, Mark::MinusInfinity, Mark::Both,
             Mark::Missing, Mark::Zero}) {
        if (std::find(cells.begin(), cells.end(), std::optional(mark)) == cells.end())
            continue;
        const std::string_view word = mark == Mark::Missing ? "none"
            : mark == Mark::Zero                            ? "0"
            : mark == Mark::Both                            ? "both"
                                                            : glyphOf(mark).word;
        head += head.empty() ? "" : "/";
        head += word;
    }
    return displayWidth(head) > 8 ? "bad" : head;
}

struct PlacedLabel {
    int at = 0;
    int width = 0;
    const PlotLabel* label = nullptr;
};

/// Labels from left to right that do not touch; the first-bad label is placed first.
std::vector<PlacedLabel> placeLabels(const Plot& plot, const StepScale& steps)
{
    std::vector<const PlotLabel*> wanted;
    for (const PlotLabel& label : plot.labels) {
        if (steps.contains(label.step))
            wanted.push_back(&label);
    }
    std::stable_partition(
        wanted.begin(), wanted.end(), [](const PlotLabel* label) { return label->firstBad; });
    std::vector<PlacedLabel> placed;
    for (const PlotLabel* label : wanted) {
        const int width
            = std::max(displayWidth(groupedInteger(label->step)) + (label->firstBad ? 1 : 0),
                displayWidth(label->text));
        const int at
            = std::clamp(steps.character(label->step), 0, std::max(steps.characters() - width, 0));
        const bool touches
            = std::any_of(placed.begin(), placed.end(), [&](const PlacedLabel& other) {
                  return at < other.at + other.width + 2 && other.at < at + width + 2;
              });
        if (!touches)
            placed.push_back({at, width, label});
    }
    std::sort(placed.begin(), placed.end(),
        [](const PlacedLabel& a, const PlacedLabel& b) { return a.at < b.at; });
    return placed;
}

void addLabels(StyledText& out, const Plot& plot, const StepScale& steps, const TextStyle& style)
{
    LineBuilder numbers(style);
    LineBuilder words(style);
    for (const PlacedLabel& placed : placeLabels(plot, steps)) {
        const Role role = placed.label->firstBad ? Role::Strong : Role::Plain;
        numbers.padTo(kGutter + placed.at);
        if (placed.label->firstBad)
            numbers.add(Mark::FirstBad);
        numbers.add(groupedInteger(placed.label->step), role);
        words.padTo(kGutter + placed.at).addFromFile(placed.label->text, role);
    }
    if (numbers.width() == 0)
        return;
    out.push_back(numbers.take());
    out.push_back(words.take());
}

}  // namespace

StyledText drawPlot(const Plot& plot, const TextStyle& style)
{
    TextStyle wide = style;
    wide.columns = std::max(style.columns, kGutter + kLeastPlot);
    const StepScale steps(plot.fromStep, plot.toStep, wide.columns - kGutter);
    StyledText out;
    StyledText rails;
    for (const PlotPanel& panel : plot.panels) {
        const auto range = rangeInView(panel, steps);
        DrawnPanel drawn{PlotAxis(scaleFor(panel, range), range.value_or(ValueRange{0.0, 1.0})),
            DotRaster(steps.characters(), panel.rows)};
        if (range) {
            tracePanel(panel, steps, drawn.axis, drawn.raster);
            addPanelRows(out, panel, drawn, wide);
        }
        const RailCells cells = railOf(panel, steps, drawn.axis);
        addRail(rails, wide, railHead(cells), panel.label, cells);
    }
    LineBuilder axis(wide);
    axis.padTo(kGutter - 1).add("└", Role::Muted);
    for (int character = 0; character < steps.characters(); ++character)
        axis.add("─", Role::Muted);
    out.push_back(axis.take());
    out.insert(out.end(), rails.begin(), rails.end());
    for (const PlotRail& rail : plot.rails) {
        RailCells cells(static_cast<std::size_t>(steps.characters()));
        for (const PlotMark& mark : rail.marks) {
            if (steps.contains(mark.step))
                cells[static_cast<std::size_t>(steps.character(mark.step))] = mark.mark;
        }
        addRail(out, wide, rail.label, "", cells);
    }
    addLabels(out, plot, steps, wide);
    return out;
}

}  // namespace firstbad::core
