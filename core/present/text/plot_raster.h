// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of one plot panel: which dots are set, and what the rail below it has to mark.
//
// Pure over the caller's points; one pass; memory is a few numbers a dot column. Any thread.
#pragma once

#include "core/present/text/braille_plot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

/// Maps steps to characters and to dots, two of them a character.
class StepScale
{
public:
    StepScale(std::int64_t from, std::int64_t to, int characters)
        : m_from(from)
        , m_to(to)
        , m_characters(characters)
    { }

    [[nodiscard]] bool contains(std::int64_t step) const noexcept
    {
        return step >= m_from && step <= m_to;
    }
    [[nodiscard]] int dot(std::int64_t step) const noexcept;
    [[nodiscard]] int character(std::int64_t step) const noexcept { return dot(step) / 2; }
    [[nodiscard]] int characters() const noexcept { return m_characters; }
    [[nodiscard]] int dots() const noexcept { return 2 * m_characters; }

private:
    std::int64_t m_from;
    std::int64_t m_to;
    int m_characters;
};

/// A grid of dots, four rows and two columns a character; row 0 is the lowest.
class DotRaster
{
public:
    DotRaster(int characters, int rows);
    void fill(int column, int low, int high);
    [[nodiscard]] int height() const noexcept { return m_height; }
    /// The braille letter of a character, "*" without Unicode, " " without dots. Row 0 is the top.
    [[nodiscard]] std::string letter(int character, int row, bool unicode) const;

private:
    int m_width;
    int m_height;
    std::vector<bool> m_dots;
};

/// Range of the finite values in view; nullopt when there is none.
[[nodiscard]] std::optional<ValueRange> rangeInView(const PlotPanel& panel, const StepScale& steps);

/// Sets the dots of every segment.
void tracePanel(
    const PlotPanel& panel, const StepScale& steps, const PlotAxis& axis, DotRaster& raster);

/// A mark for each character that holds a non-finite or missing value, or one that the axis cannot
/// show. Several kinds in one character are Mark::Both, and non-finite wins over the others.
[[nodiscard]] std::vector<std::optional<Mark>> railOf(
    const PlotPanel& panel, const StepScale& steps, const PlotAxis& axis);

}  // namespace firstbad::core
