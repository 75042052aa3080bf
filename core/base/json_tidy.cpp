// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_tidy.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

class Tidier
{
public:
    Tidier(std::string_view json, std::string& out)
        : m_json(json)
        , m_out(out)
    { }

    bool run()
    {
        while (m_at < m_json.size()) {
            const char c = m_json[m_at];
            if (c == '"' || c == '\'')
                string(c);
            else if (isWord(c))
                word();
            else if (c == '/' && comment())
                m_changed = true;
            else
                m_out += m_json[m_at++];
        }
        return m_changed;
    }

private:
    static bool isWord(char c) noexcept
    {
        return isAsciiAlpha(c) || isAsciiDigit(c) || c == '_' || c == '$' || c == '+' || c == '-'
            || c == '.';
    }

    void string(char quote)
    {
        m_changed = m_changed || quote == '\'';
        m_out += '"';
        for (++m_at; m_at < m_json.size() && m_json[m_at] != quote; ++m_at)
            character(m_json[m_at]);
        if (m_at < m_json.size()) {
            ++m_at;
            m_out += '"';
        }
    }

    void character(char c)
    {
        if (c == '\\' && m_at + 1 < m_json.size()) {
            const char next = m_json[++m_at];
            if (next == '\'') {
                m_out += '\'';
                m_changed = true;
            } else {
                m_out += c;
                m_out += next;
            }
        } else if (c == '"') {
            m_out += "\\\"";
        } else if (static_cast<unsigned char>(c) < 0x20U) {
            m_out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
            m_changed = true;
        } else {
            m_out += c;
        }
    }

    void word()
    {
        const std::size_t begin = m_at;
        while (m_at < m_json.size() && isWord(m_json[m_at]))
            ++m_at;
        const std::string_view found = m_json.substr(begin, m_at - begin);
        if (isKey())
            return replace(found, '"' + std::string(found) + '"');
        if (found == "true" || found == "false" || found == "null")
            return m_out.append(found), void();
        if (found == "True" || found == "False")
            return replace(found, toLowerAscii(found));
        if (found == "None" || found == "undefined" || found == "nil" || found == "NULL")
            return replace(found, "null");
        if (parseNumber(found))
            return replace(found, '"' + escapedMark() + std::string(found) + '"');
        m_out.append(found);
    }

    /// A colon follows: a bare key of JSON5.
    [[nodiscard]] bool isKey() const noexcept
    {
        std::size_t at = m_at;
        while (at < m_json.size() && isBlank(m_json[at]))
            ++at;
        return at < m_json.size() && m_json[at] == ':';
    }

    static std::string escapedMark()
    {
        return fmt::format("\\u{:04x}", static_cast<unsigned>(kTidiedNumberMark));
    }

    void replace(std::string_view found, const std::string& with)
    {
        m_changed = m_changed || found != with;
        m_out += with;
    }

    /// Skips a comment of either kind; false when the slash starts none.
    bool comment()
    {
        const std::string_view rest = m_json.substr(m_at);
        const bool toLineEnd = rest.substr(0, 2) == "//";
        if (!toLineEnd && rest.substr(0, 2) != "/*")
            return false;
        const std::size_t end = toLineEnd ? rest.find('\n') : rest.find("*/", 2);
        if (end == std::string_view::npos)
            m_at = m_json.size();
        else
            m_at += toLineEnd ? end : end + 2;
        return true;
    }

    std::string_view m_json;
    std::string& m_out;
    std::size_t m_at = 0;
    bool m_changed = false;
};

}  // namespace

bool tidyJson(std::string_view json, std::string& tidied)
{
    tidied.clear();
    tidied.reserve(json.size() + json.size() / 4);
    return Tidier(json, tidied).run();
}

}  // namespace firstbad::core
