// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/line_builder.h"

#include "core/base/text.h"
#include "core/present/text/text_width.h"

#include <algorithm>
#include <utility>

namespace firstbad::core {

LineBuilder& LineBuilder::append(std::string text, Role role)
{
    m_width += displayWidth(text);
    if (!m_line.empty() && m_line.back().role == role)
        m_line.back().text += text;
    else
        m_line.push_back({std::move(text), role});
    return *this;
}

LineBuilder& LineBuilder::add(std::string_view text, Role role)
{
    return append(showable(text, m_style), role);
}

LineBuilder& LineBuilder::addFromFile(std::string_view text, Role role)
{
    return append(showable(escapedForTerminal(text), m_style), role);
}

LineBuilder& LineBuilder::add(Mark mark)
{
    Span span = markSpan(mark, m_style);
    return append(std::move(span.text), span.role);
}

LineBuilder& LineBuilder::padTo(int column)
{
    const int least = m_width == 0 ? 0 : 1;
    const int blanks = std::max(column - m_width, least);
    return append(std::string(static_cast<std::size_t>(blanks), ' '), Role::Plain);
}

LineBuilder& LineBuilder::right(std::string_view text, Role role)
{
    padTo(m_style.columns - displayWidth(showable(text, m_style)));
    return add(text, role);
}

StyledLine LineBuilder::take()
{
    m_width = 0;
    return std::exchange(m_line, {});
}

void addWrapped(StyledText& out, const TextStyle& style, LineBuilder& line, int indent,
    std::string_view text, Role role)
{
    if (line.width() > 0 && line.width() >= indent)
        out.push_back(line.take());
    const std::string shown = showable(escapedForTerminal(text), style);
    for (const std::string& part : wrapped(shown, style.columns - indent))
        out.push_back(line.padTo(indent).add(part, role).take());
}

void addLabelled(StyledText& out, const TextStyle& style, std::string_view label, int indent,
    std::string_view text, Role role)
{
    LineBuilder line(style);
    line.add(label, Role::Muted);
    addWrapped(out, style, line, indent, text, role);
}

}  // namespace firstbad::core
