// SPDX-License-Identifier: GPL-3.0-or-later
// LineSplitter: lines out of bytes as they come, none longer than a limit.
//
// One thread; holds at most one limit of an unfinished line and the finished ones not yet taken.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace firstbad::core {

class LineSplitter
{
public:
    explicit LineSplitter(std::size_t limit)
        : m_limit(limit)
    { }

    void add(std::string_view bytes)
    {
        for (std::size_t end = bytes.find('\n'); end != std::string_view::npos;
             end = bytes.find('\n')) {
            append(bytes.substr(0, end));
            m_lines.push_back({std::move(m_open), m_tooLong});
            m_open.clear();
            m_tooLong = false;
            bytes.remove_prefix(end + 1);
        }
        append(bytes);
    }

    struct Line {
        std::string text;
        bool tooLong = false;
    };

    /// The oldest finished line; or the unfinished one as soon as it is too long.
    [[nodiscard]] std::optional<Line> take()
    {
        if (m_lines.empty())
            return m_tooLong ? std::optional(Line{{}, true}) : std::nullopt;
        Line line = std::move(m_lines.front());
        m_lines.pop_front();
        return line;
    }

private:
    void append(std::string_view part)
    {
        const std::size_t room = m_limit - m_open.size();
        m_tooLong = m_tooLong || part.size() > room;
        m_open.append(part.substr(0, room));
    }

    std::size_t m_limit;
    std::string m_open;
    bool m_tooLong = false;
    std::deque<Line> m_lines;
};

}  // namespace firstbad::core
