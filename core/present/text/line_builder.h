// SPDX-License-Identifier: GPL-3.0-or-later
// LineBuilder: puts one line together column by column, as the style can show it.
//
// One thread. Text that came from a file goes in through addFromFile(), which escapes it.
#pragma once

#include "core/present/text/glyph_table.h"
#include "core/present/text/text_style.h"

#include <string_view>

namespace firstbad::core {

class LineBuilder
{
public:
    explicit LineBuilder(const TextStyle& style)
        : m_style(style)
    { }

    /// Words of firstbad itself.
    LineBuilder& add(std::string_view text, Role role = Role::Plain);
    /// A name or sentence that holds text from a file.
    LineBuilder& addFromFile(std::string_view text, Role role = Role::Plain);
    LineBuilder& add(Mark mark);
    /// Blanks up to `column`, at least one if the line is already there (none at column 0).
    LineBuilder& padTo(int column);
    /// `text` so that it ends at the right edge of the style's columns.
    LineBuilder& right(std::string_view text, Role role = Role::Plain);

    [[nodiscard]] int width() const noexcept { return m_width; }
    /// Columns left on the line.
    [[nodiscard]] int room() const noexcept { return m_style.columns - m_width; }
    [[nodiscard]] StyledLine take();

private:
    LineBuilder& append(std::string text, Role role);

    const TextStyle& m_style;
    StyledLine m_line;
    int m_width = 0;
};

/// `text` from a file, wrapped between `indent` and the right edge. It begins on `line` if that
/// still ends left of `indent`, else on the next line.
void addWrapped(StyledText& out, const TextStyle& style, LineBuilder& line, int indent,
    std::string_view text, Role role = Role::Plain);

/// `label` in a column of `indent`, then `text` from a file wrapped to the right of it.
void addLabelled(StyledText& out, const TextStyle& style, std::string_view label, int indent,
    std::string_view text, Role role = Role::Plain);

}  // namespace firstbad::core
