// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/numpy/python_literal.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/checkpoint/pickle/text_opcodes.h"

namespace firstbad::core {

namespace {

constexpr int kMaxDepth = 32;

class LiteralParser
{
public:
    explicit LiteralParser(std::string_view text)
        : m_rest(text)
    { }

    std::optional<PythonLiteral> whole()
    {
        auto value = parse(0);
        skipBlanks();
        return value && m_rest.empty() ? std::move(value) : std::nullopt;
    }

private:
    void skipBlanks()
    {
        while (!m_rest.empty() && isBlank(m_rest.front()))
            m_rest.remove_prefix(1);
    }

    bool take(char expected)
    {
        skipBlanks();
        if (m_rest.empty() || m_rest.front() != expected)
            return false;
        m_rest.remove_prefix(1);
        return true;
    }

    bool takeWord(std::string_view word)
    {
        if (!m_rest.starts_with(word))
            return false;
        m_rest.remove_prefix(word.size());
        return true;
    }

    std::optional<PythonLiteral> parse(int depth)
    {
        skipBlanks();
        if (depth > kMaxDepth || m_rest.empty())
            return std::nullopt;
        if (m_rest.front() == 'u' || m_rest.front() == 'b')
            m_rest.remove_prefix(1);  // Python 2's u'...'
        if (m_rest.empty())
            return std::nullopt;
        if (m_rest.front() == '\'' || m_rest.front() == '"')
            return text();
        if (take('('))
            return sequence(')', depth);
        if (take('['))
            return sequence(']', depth);
        if (take('{'))
            return dict(depth);
        PythonLiteral value;
        if (takeWord("None"))
            return value;
        value.kind = PythonLiteral::Kind::Boolean;
        value.flag = m_rest.starts_with("True");
        if (takeWord("True") || takeWord("False"))
            return value;
        return integer();
    }

    std::optional<PythonLiteral> text()
    {
        const char quote = m_rest.front();
        std::size_t end = 1;
        while (end < m_rest.size() && m_rest[end] != quote)
            end += m_rest[end] == '\\' ? 2U : 1U;
        if (end >= m_rest.size())
            return std::nullopt;
        auto decoded = decodeQuoted(m_rest.substr(0, end + 1));
        if (!decoded)
            return std::nullopt;
        m_rest.remove_prefix(end + 1);
        PythonLiteral value;
        value.kind = PythonLiteral::Kind::Text;
        value.text = std::move(*decoded);
        return value;
    }

    std::optional<PythonLiteral> integer()
    {
        std::size_t length = m_rest.front() == '-' ? 1 : 0;
        while (length < m_rest.size() && isAsciiDigit(m_rest[length]))
            ++length;
        const auto number = length > 0 ? parseInteger(m_rest.substr(0, length)) : std::nullopt;
        if (!number)
            return std::nullopt;
        m_rest.remove_prefix(length);
        if (!m_rest.empty() && m_rest.front() == 'L')
            m_rest.remove_prefix(1);  // Python 2's 3L
        PythonLiteral value;
        value.kind = PythonLiteral::Kind::Integer;
        value.integer = *number;
        return value;
    }

    std::optional<PythonLiteral> sequence(char end, int depth)
    {
        PythonLiteral value;
        value.kind = PythonLiteral::Kind::Sequence;
        bool hasComma = false;
        while (!take(end)) {
            auto item = parse(depth + 1);
            if (!item)
                return std::nullopt;
            value.items.push_back(std::move(*item));
            if (take(',')) {
                hasComma = true;
            } else if (!take(end)) {
                return std::nullopt;
            } else {
                break;
            }
        }
        // (x) is x, (x,) a tuple.
        if (end == ')' && value.items.size() == 1 && !hasComma)
            return PythonLiteral(value.items.front());
        return value;
    }

    std::optional<PythonLiteral> dict(int depth)
    {
        PythonLiteral value;
        value.kind = PythonLiteral::Kind::Dict;
        while (!take('}')) {
            auto key = parse(depth + 1);
            if (!key || !take(':'))
                return std::nullopt;
            auto content = parse(depth + 1);
            if (!content)
                return std::nullopt;
            value.items.push_back(std::move(*key));
            value.items.push_back(std::move(*content));
            if (!take(',')) {
                if (!take('}'))
                    return std::nullopt;
                break;
            }
        }
        return value;
    }

    std::string_view m_rest;
};

}  // namespace

const PythonLiteral* PythonLiteral::find(std::string_view key) const
{
    if (kind != Kind::Dict)
        return nullptr;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i].kind == Kind::Text && items[i].text == key)
            return &items[i + 1];
    }
    return nullptr;
}

std::optional<PythonLiteral> parsePythonLiteral(std::string_view text)
{
    return LiteralParser(text).whole();
}

}  // namespace firstbad::core
