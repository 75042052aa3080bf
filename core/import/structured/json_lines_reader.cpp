// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/json_lines_reader.h"

#include "core/base/text.h"
#include "core/import/structured/cell.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMaxSpan = std::size_t{1} << 20U;

}  // namespace

void JsonLinesReader::add(const JsonLine& line)
{
    JsonLine clean = line;
    clean.text = trimmed(withoutByteOrderMark(line.text));
    if (clean.text.empty())
        return;
    const bool opens = clean.text.front() == '{';
    if (opens && take(clean.text, clean.number, clean.offset)) {
        dropSpan();
        return;
    }
    if (!m_span.empty())
        continueSpan(clean);
    else if (opens && m_errorAt < clean.text.size())
        takeSeveral(clean);
    else if (opens)
        startSpan(clean);
    else
        skip(clean, "not-json", "The line is no JSON object.");
}

bool JsonLinesReader::take(std::string_view json, std::uint64_t line, std::uint64_t offset)
{
    m_flat.begin();
    const auto read = m_reader.read(json, m_flat);
    if (!read) {
        m_errorAt = static_cast<std::size_t>(read.error().where->offset.value_or(0));
        return false;
    }
    m_flat.record().line = line;
    m_flat.record().offset = offset;
    m_table.add(m_flat.record());
    return true;
}

// Lines of several writers may run together: {...}{...}
void JsonLinesReader::takeSeveral(const JsonLine& line)
{
    std::string_view rest = line.text;
    std::size_t taken = 0;
    while (!rest.empty() && rest.front() == '{') {
        m_flat.begin();
        const auto used = m_reader.readFirst(rest, m_flat);
        if (!used)
            break;
        m_flat.record().line = line.number;
        m_flat.record().offset = line.offset;
        m_table.add(m_flat.record());
        ++taken;
        rest = trimmed(rest.substr(*used));
    }
    if (rest.empty())
        return;
    JsonLine left = line;
    left.offset += line.text.size() - rest.size();
    left.text = rest;
    skip(left, taken > 0 ? "spliced-line" : "not-json",
        taken > 0 ? "Something that is no JSON object follows an object on its line."
                  : fmt::format("The line is no valid JSON at byte {} of it.", m_errorAt));
}

void JsonLinesReader::balance(std::string_view text) noexcept
{
    for (const char c : text) {
        if (m_escaped) {
            m_escaped = false;
        } else if (m_inString) {
            m_escaped = c == '\\';
            m_inString = c != '"';
        } else if (c == '"') {
            m_inString = true;
        } else if (c == '{' || c == '[') {
            ++m_depth;
        } else if (c == '}' || c == ']') {
            --m_depth;
        }
    }
}

void JsonLinesReader::startSpan(const JsonLine& line)
{
    m_span.assign(line.text);
    m_spanStart = line;
    m_depth = 0;
    m_inString = false;
    m_escaped = false;
    balance(line.text);
}

void JsonLinesReader::continueSpan(const JsonLine& line)
{
    m_span += '\n';
    m_span += line.text;
    m_spanStart.unterminated = line.unterminated;
    balance(line.text);
    if (m_depth > 0 && m_span.size() < kMaxSpan)
        return;
    const std::string whole = std::move(m_span);
    m_span.clear();
    if (m_depth <= 0 && take(whole, m_spanStart.number, m_spanStart.offset))
        return;
    JsonLine broken = m_spanStart;
    broken.text = whole;
    skip(broken, "not-json", "An object that spans lines is no valid JSON.");
}

void JsonLinesReader::dropSpan()
{
    if (m_span.empty())
        return;
    const std::string whole = std::move(m_span);
    m_span.clear();
    JsonLine broken = m_spanStart;
    broken.text = whole;
    skip(broken, "torn-line", "A JSON object is not closed; its values may be cut.");
}

void JsonLinesReader::skip(const JsonLine& line, const char* code, std::string reason)
{
    SkippedPart part;
    part.code = code;
    part.reason = std::move(reason);
    part.line = line.number;
    part.offset = line.offset;
    part.length = line.text.size();
    part.mayBeGrowing = line.unterminated;
    m_sink.addSkipped(std::move(part));
}

void JsonLinesReader::finish()
{
    m_spanStart.unterminated = m_spanStart.unterminated && !m_span.empty();
    dropSpan();
    m_table.finish();
    if (m_flat.leftOut() == 0)
        return;
    SkippedPart part;
    part.code = "too-many-values";
    part.reason = fmt::format(
        "{} values of very long lists or beyond 20,000 names were left out.", m_flat.leftOut());
    m_sink.addSkipped(std::move(part));
}

}  // namespace firstbad::core
