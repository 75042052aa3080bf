// SPDX-License-Identifier: GPL-3.0-or-later
// LineScanner: walks along one line and takes literals and counters off its front.
//
// Holds a view of the caller's line; no allocation; any thread.
#pragma once

#include "core/base/number.h"
#include "core/base/text.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace firstbad::core {

class LineScanner
{
public:
    explicit constexpr LineScanner(std::string_view line) noexcept
        : m_rest(line)
    { }

    [[nodiscard]] std::string_view rest() const noexcept { return m_rest; }

    LineScanner& skipBlanks() noexcept
    {
        while (!m_rest.empty() && isBlank(m_rest.front()))
            m_rest.remove_prefix(1);
        return *this;
    }

    /// Takes `literal` if it stands here.
    bool take(std::string_view literal) noexcept
    {
        if (m_rest.substr(0, literal.size()) != literal)
            return false;
        m_rest.remove_prefix(literal.size());
        return true;
    }

    /// Moves behind the first `literal` of the rest; false (and no move) when there is none.
    bool jumpBehind(std::string_view literal) noexcept
    {
        const std::size_t at = m_rest.find(literal);
        if (at == std::string_view::npos)
            return false;
        m_rest.remove_prefix(at + literal.size());
        return true;
    }

    /// Takes a counter: digits after optional blanks, leading zeros allowed, no sign.
    std::optional<std::int64_t> takeCounter() noexcept
    {
        skipBlanks();
        std::size_t digits = 0;
        while (digits < m_rest.size() && isAsciiDigit(m_rest[digits]))
            ++digits;
        const auto value = parseInteger(m_rest.substr(0, digits));
        if (digits == 0 || !value)
            return std::nullopt;
        m_rest.remove_prefix(digits);
        return value;
    }

    /// Takes everything up to `end` and `end` itself; nullopt when `end` does not follow.
    std::optional<std::string_view> takeUntil(std::string_view end) noexcept
    {
        const std::size_t at = m_rest.find(end);
        if (at == std::string_view::npos)
            return std::nullopt;
        const std::string_view before = m_rest.substr(0, at);
        m_rest.remove_prefix(at + end.size());
        return before;
    }

private:
    std::string_view m_rest;
};

}  // namespace firstbad::core
