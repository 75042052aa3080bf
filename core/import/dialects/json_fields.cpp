// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/json_fields.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace firstbad::core {
namespace {

constexpr int kMaxDepth = 8;

class Cutter
{
public:
    Cutter(std::string_view text, std::vector<JsonField>& fields)
        : m_text(text)
        , m_fields(fields)
    { }

    bool whole()
    {
        if (!value({}, 0))
            return false;
        skipBlanks();
        return m_at == m_text.size();
    }

private:
    void skipBlanks()
    {
        while (m_at < m_text.size() && isBlank(m_text[m_at]))
            ++m_at;
    }

    bool take(char c)
    {
        skipBlanks();
        if (m_at >= m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }

    std::optional<std::string_view> quoted()
    {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && m_text[m_at] != '"')
            m_at += m_text[m_at] == '\\' ? 2U : 1U;
        if (m_at >= m_text.size())
            return std::nullopt;
        return m_text.substr(begin, m_at++ - begin);
    }

    bool value(const std::string& name, int depth)
    {
        if (depth > kMaxDepth)
            return false;
        if (take('{'))
            return members(name, depth);
        if (depth == 0)
            return false;
        if (take('['))
            return elements(name, depth);
        if (take('"')) {
            const auto text = quoted();
            if (text)
                m_fields.push_back({name, *text, true});
            return text.has_value();
        }
        return bareWord(name);
    }

    bool bareWord(const std::string& name)
    {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && !isBlank(m_text[m_at]) && m_text[m_at] != ','
            && m_text[m_at] != '}' && m_text[m_at] != ']')
            ++m_at;
        // a word at the very end may be cut
        if (m_at == begin || m_at >= m_text.size())
            return false;
        m_fields.push_back({name, m_text.substr(begin, m_at - begin), false});
        return true;
    }

    bool members(const std::string& name, int depth)
    {
        if (take('}'))
            return true;
        do {
            if (!take('"'))
                return false;
            const auto key = quoted();
            if (!key || !take(':'))
                return false;
            const std::string full
                = name.empty() ? std::string(*key) : fmt::format("{}.{}", name, *key);
            if (!value(full, depth + 1))
                return false;
        } while (take(','));
        return take('}');
    }

    bool elements(const std::string& name, int depth)
    {
        if (take(']'))
            return true;
        std::size_t index = 0;
        do {
            if (!value(fmt::format("{}[{}]", name, index++), depth + 1))
                return false;
        } while (take(','));
        return take(']');
    }

    std::string_view m_text;
    std::vector<JsonField>& m_fields;
    std::size_t m_at = 0;
};

}  // namespace

bool cutJsonFields(std::string_view object, std::vector<JsonField>& fields)
{
    fields.clear();
    return Cutter(object, fields).whole();
}

const JsonField* findJsonField(const std::vector<JsonField>& fields, std::string_view name) noexcept
{
    const auto found = std::find_if(
        fields.begin(), fields.end(), [&](const JsonField& field) { return field.name == name; });
    return found != fields.end() ? &*found : nullptr;
}

}  // namespace firstbad::core
