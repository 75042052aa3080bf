// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/csv_row.h"

#include <cstring>

namespace firstbad::core {

bool CsvRow::split(std::string_view line, char delimiter)
{
    m_cells.clear();
    m_unquoted.clear();
    if (!line.empty() && std::memchr(line.data(), '"', line.size()) != nullptr)
        return splitQuoted(line, delimiter);
    std::size_t at = 0;
    while (true) {
        const std::size_t end = line.find(delimiter, at);
        if (end == std::string_view::npos)
            break;
        m_cells.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    m_cells.push_back(line.substr(at));
    return true;
}

bool CsvRow::splitQuoted(std::string_view line, char delimiter)
{
    std::size_t at = 0;
    while (true) {
        if (at < line.size() && line[at] == '"') {
            if (!quotedCell(line, at, delimiter))
                return false;
        } else {
            const std::size_t end = std::min(line.find(delimiter, at), line.size());
            m_cells.push_back(line.substr(at, end - at));
            at = end;
        }
        if (at >= line.size())
            return true;
        ++at;  // the delimiter
        if (at == line.size()) {
            m_cells.emplace_back();
            return true;
        }
    }
}

// `at` stands on the opening quote and is left on the delimiter or the end. What follows a closing
// quote ("5"cm) belongs to the cell.
bool CsvRow::quotedCell(std::string_view line, std::size_t& at, char delimiter)
{
    const std::size_t begin = ++at;
    const std::size_t close = line.find('"', begin);
    const bool plain = close != std::string_view::npos
        && (close + 1 == line.size() || line[close + 1] == delimiter);
    if (plain) {
        m_cells.push_back(line.substr(begin, close - begin));
        at = close + 1;
        return true;
    }
    std::string& cell = m_unquoted.emplace_back();
    bool open = true;
    for (; at < line.size(); ++at) {
        const char c = line[at];
        const bool doubled = open && c == '"' && at + 1 < line.size() && line[at + 1] == '"';
        if (doubled)
            ++at;
        else if (c == '"')
            open = !open;
        else if (!open && c == delimiter)
            break;
        if (doubled || c != '"')
            cell += c;
    }
    m_cells.push_back(cell);
    return !open;
}

}  // namespace firstbad::core
