// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markup.h"

#include "core/base/text.h"

namespace firstbad::core {
namespace {

std::string oneLine(std::string_view text)
{
    std::string line(text);
    for (char& c : line) {
        if (c == '\n' || c == '\r' || c == '\t')
            c = ' ';
    }
    return escapedForTerminal(line);
}

std::string_view entityOf(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return {};
    }
}

}  // namespace

std::string htmlEscaped(std::string_view text)
{
    std::string escaped;
    for (const char c : oneLine(text)) {
        const std::string_view entity = entityOf(c);
        if (entity.empty())
            escaped += c;
        else
            escaped += entity;
    }
    return escaped;
}

std::string markdownEscaped(std::string_view text)
{
    constexpr std::string_view kMarks = "\\`*_{}[]<>#|!~";
    std::string escaped;
    for (const char c : oneLine(text)) {
        if (c == '&') {
            escaped += "&amp;";
            continue;
        }
        if (kMarks.find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

}  // namespace firstbad::core
