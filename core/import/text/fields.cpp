// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/text/fields.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

constexpr std::size_t kMaxFields = 4096;
constexpr std::size_t kMaxNesting = 16;
constexpr std::array<std::string_view, 3> kWideSeparators{
    "\xEF\xBC\x8C", "\xE3\x80\x81", "\xEF\xBC\x9B"};  // , ; and the ideographic comma
constexpr std::string_view kWideColon = "\xEF\xBC\x9A";

bool startsWith(std::string_view text, std::string_view part) noexcept
{
    return text.compare(0, part.size(), part) == 0;
}

std::size_t separatorLength(std::string_view text) noexcept
{
    if (text.empty())
        return 0;
    if (text[0] == '|' || text[0] == ',' || text[0] == ';')
        return 1;
    for (const std::string_view wide : kWideSeparators) {
        if (startsWith(text, wide))
            return wide.size();
    }
    return 0;
}

std::size_t assignLength(std::string_view text) noexcept
{
    if (startsWith(text, kWideColon))
        return kWideColon.size();
    return !text.empty() && (text[0] == ':' || text[0] == '=') ? 1 : 0;
}

bool endsValue(std::string_view text) noexcept
{
    constexpr std::string_view kEnders = ")]}*'\"(:";
    return text.empty() || isBlank(text[0]) || separatorLength(text) != 0
        || kEnders.find(text[0]) != std::string_view::npos;
}

/// Length of the groups ",123" that follow `length` digits of a number.
std::size_t thousandsLength(std::string_view text, std::size_t length) noexcept
{
    constexpr std::size_t kMaxHead = 4;  // sign and three digits
    if (length > kMaxHead || !isAsciiDigit(text[length - 1]))
        return 0;
    std::size_t end = length;
    const auto digitAt = [&](std::size_t at) { return at < text.size() && isAsciiDigit(text[at]); };
    while (end < text.size() && text[end] == ',' && digitAt(end + 1) && digitAt(end + 2)
        && digitAt(end + 3) && !digitAt(end + 4))
        end += 4;
    return end - length;
}

std::size_t unitLength(std::string_view text) noexcept
{
    std::size_t length = 0;
    while (length < text.size()
        && (isAsciiAlpha(text[length]) || text[length] == '%'
            || (text[length] == '/' && length > 0)))
        ++length;
    return length;
}

std::string_view withoutStars(std::string_view name) noexcept
{
    while (!name.empty() && (name.front() == '*' || name.front() == '#' || isBlank(name.front())))
        name.remove_prefix(1);
    return trimmed(name);
}

}  // namespace

/// One pass over one line; appends to the splitter's fields.
class FieldScanner
{
public:
    FieldScanner(FieldSplitter& splitter, std::string_view line)
        : m_splitter(splitter)
        , m_line(line)
    { }

    void scan();

private:
    [[nodiscard]] bool atEnd() const noexcept { return m_at >= m_line.size(); }
    [[nodiscard]] std::string_view rest() const noexcept { return m_line.substr(m_at); }
    [[nodiscard]] bool hasName() const noexcept { return m_nameEnd > m_nameBegin; }
    void skipBlanks() noexcept;
    void clear() noexcept;
    void step();
    void takeBracket();
    void takeQuotedName(char quote);
    void takeNote();
    void takeWord();
    void takeAssigned();
    [[nodiscard]] bool takeNumber(bool isExplicit);
    void takeRatio(Field& field) noexcept;
    [[nodiscard]] bool takeList(bool isExplicit);
    void takeQuotedValue(char quote);
    void takeTextValue();
    void emit(Field field);
    [[nodiscard]] std::string_view fullName();

    FieldSplitter& m_splitter;
    std::string_view m_line;
    std::size_t m_at = 0;
    std::size_t m_nameBegin = 0;
    std::size_t m_nameEnd = 0;  // equal to m_nameBegin: no name is pending
    std::array<std::string_view, kMaxNesting> m_outer{};  // names of the open dicts
    std::size_t m_depth = 0;
    bool m_afterValue = false;  // the last thing read was a value: parentheses belong to it
};

void FieldScanner::skipBlanks() noexcept
{
    while (!atEnd() && isBlank(m_line[m_at]))
        ++m_at;
}

void FieldScanner::clear() noexcept
{
    m_nameBegin = m_nameEnd = m_at;
    m_afterValue = false;
}

void FieldScanner::scan()
{
    for (;;) {
        skipBlanks();
        if (atEnd() || m_splitter.m_fields.size() >= kMaxFields)
            return;
        step();
    }
}

void FieldScanner::step()
{
    const char c = m_line[m_at];
    if (const std::size_t length = separatorLength(rest()); length != 0) {
        m_at += length;
        clear();
    } else if (assignLength(rest()) != 0) {
        takeAssigned();
    } else if (c == '{' || c == '}' || c == ']' || c == ')') {
        takeBracket();
    } else if (c == '\'' || c == '"') {
        takeQuotedName(c);
    } else if (c == '(' && m_afterValue && !hasName()) {
        takeNote();
    } else if (c == '[') {
        if (!hasName() || !takeList(false)) {
            ++m_at;
            clear();
        }
    } else if (!takeNumber(false)) {
        takeWord();
    }
}

void FieldScanner::takeBracket()
{
    const char c = m_line[m_at];
    if (c == '{') {
        if (m_depth < kMaxNesting)
            m_outer.at(m_depth) = m_line.substr(m_nameBegin, m_nameEnd - m_nameBegin);
        ++m_depth;
    } else if (c == '}' && m_depth > 0) {
        --m_depth;
    }
    ++m_at;
    clear();
}

void FieldScanner::takeQuotedName(char quote)
{
    const std::size_t close = m_line.find(quote, m_at + 1);
    if (close == std::string_view::npos) {
        ++m_at;
        return;
    }
    m_nameBegin = m_at + 1;
    m_nameEnd = close;
    m_at = close + 1;
    m_afterValue = false;
}

void FieldScanner::takeNote()
{
    const std::size_t close = std::min(m_line.find(')', m_at), m_line.size());
    if (!m_splitter.m_fields.empty())
        m_splitter.m_fields.back().note = m_line.substr(m_at + 1, close - m_at - 1);
    m_at = std::min(close + 1, m_line.size());
}

void FieldScanner::takeWord()
{
    const std::size_t begin = m_at;
    while (!atEnd() && !isBlank(m_line[m_at]) && separatorLength(rest()) == 0
        && assignLength(rest()) == 0 && m_line[m_at] != '{' && m_line[m_at] != '}'
        && m_line[m_at] != '"' && m_line[m_at] != '[' && m_line[m_at] != ']')
        ++m_at;
    if (m_at == begin)
        ++m_at;
    const std::string_view word = m_line.substr(begin, m_at - begin);
    if (word == "-" || word == "--") {
        clear();
        return;
    }
    if (!hasName())
        m_nameBegin = begin;
    m_nameEnd = m_at;
    m_afterValue = false;
}

void FieldScanner::takeAssigned()
{
    while (!atEnd() && assignLength(rest()) != 0)
        m_at += assignLength(rest());
    if (!hasName())
        return;
    skipBlanks();
    if (atEnd()) {
        clear();
        return;
    }
    const char c = m_line[m_at];
    if (c == '{')
        takeBracket();
    else if (c == '\'' || c == '"')
        takeQuotedValue(c);
    else if ((c == '[' || c == '(') && takeList(true))
        return;
    else if (separatorLength(rest()) != 0)
        clear();
    else if (!takeNumber(true))
        takeTextValue();
}

bool FieldScanner::takeNumber(bool isExplicit)
{
    const std::string_view text = rest();
    const auto parsed = parseNumberPrefix(text);
    if (!parsed)
        return false;
    std::size_t end = parsed->length;
    end += thousandsLength(text, end);
    const std::size_t unit = unitLength(text.substr(end));
    const std::string_view after = text.substr(end + unit);
    const bool ratio = unit == 0 && !after.empty() && after[0] == '/';
    const bool clock = after.size() > 1 && after[0] == ':' && isAsciiDigit(after[1]);
    if (clock || !(ratio || endsValue(after)))
        return false;
    Field field;
    field.isNumber = true;
    field.isExplicit = isExplicit;
    field.value = text.substr(0, end + unit);
    const bool plain = end == parsed->length && unit == 0;
    const auto loose = plain ? parsed : parseLooseNumber(field.value);
    field.number = loose ? loose->value : parsed->value;
    m_at += end + unit;
    takeRatio(field);
    if (hasName())
        emit(field);
    else
        clear();
    return true;
}

void FieldScanner::takeRatio(Field& field) noexcept
{
    std::size_t at = m_at;
    while (at < m_line.size() && m_line[at] == ' ')
        ++at;
    if (at >= m_line.size() || m_line[at] != '/')
        return;
    ++at;
    while (at < m_line.size() && m_line[at] == ' ')
        ++at;
    const auto parsed = parseNumberPrefix(m_line.substr(at));
    if (!parsed)
        return;
    const std::string_view second = m_line.substr(at, parsed->length);
    if (const auto whole = parseInteger(second))
        field.total = *whole;
    field.note = second;
    m_at = at + parsed->length;
}

bool FieldScanner::takeList(bool isExplicit)
{
    const char open = m_line[m_at];
    const char close = open == '[' ? ']' : ')';
    std::size_t depth = 0;
    std::size_t end = m_at;
    for (; end < m_line.size(); ++end) {
        if (m_line[end] == open)
            ++depth;
        else if (m_line[end] == close && --depth == 0)
            break;
    }
    if (end >= m_line.size())
        return false;
    Field field;
    field.isExplicit = isExplicit;
    field.value = m_line.substr(m_at, end + 1 - m_at);
    const std::string_view inside = m_line.substr(m_at + 1, end - m_at - 1);
    std::size_t first = inside.find_first_not_of(" \t[(");
    if (first != std::string_view::npos) {
        if (const auto number = parseNumberPrefix(inside.substr(first))) {
            field.isNumber = true;
            field.number = number->value;
            const std::string_view after = inside.substr(first + number->length);
            if (!after.empty() && after[0] == '/')
                field.total = parseInteger(after.substr(1)).value_or(-1);
        }
    }
    m_at = end + 1;
    emit(field);
    return true;
}

void FieldScanner::takeQuotedValue(char quote)
{
    const std::size_t close = m_line.find(quote, m_at + 1);
    if (close == std::string_view::npos) {
        takeTextValue();
        return;
    }
    Field field;
    field.isQuoted = true;
    field.value = m_line.substr(m_at + 1, close - m_at - 1);
    if (const auto number = parseLooseNumber(field.value)) {
        field.isNumber = true;
        field.number = number->value;
    }
    m_at = close + 1;
    emit(field);
}

void FieldScanner::takeTextValue()
{
    const std::size_t begin = m_at;
    while (!atEnd() && !isBlank(m_line[m_at]) && separatorLength(rest()) == 0 && m_line[m_at] != '}'
        && m_line[m_at] != ']') {
        const std::size_t assign = assignLength(rest());
        const bool clock = assign == 1 && m_at + 1 < m_line.size() && isAsciiDigit(m_line[m_at + 1])
            && isAsciiDigit(m_line[begin]);
        if (assign != 0 && !clock) {  // "first: second=3": the word was a name
            m_nameBegin = begin;
            m_nameEnd = m_at;
            return;
        }
        ++m_at;
    }
    Field field;
    field.value = m_line.substr(begin, m_at - begin);
    if (field.value.empty())
        clear();
    else
        emit(field);
}

std::string_view FieldScanner::fullName()
{
    const std::string_view own = withoutStars(m_line.substr(m_nameBegin, m_nameEnd - m_nameBegin));
    bool nested = false;
    const std::size_t depth = std::min(m_depth, kMaxNesting);
    for (std::size_t i = 0; i < depth; ++i)
        nested = nested || !m_outer.at(i).empty();
    if (!nested)
        return own;
    auto& names = m_splitter.m_names;
    if (m_splitter.m_usedNames == names.size())
        names.emplace_back();
    std::string& joined = names.at(m_splitter.m_usedNames++);
    joined.clear();
    for (std::size_t i = 0; i < depth; ++i) {
        if (!m_outer.at(i).empty())
            joined.append(trimmed(m_outer.at(i))).append(".");
    }
    return joined.append(own);
}

void FieldScanner::emit(Field field)
{
    field.name = fullName();
    if (!field.name.empty())
        m_splitter.m_fields.push_back(field);
    clear();
    m_afterValue = true;
}

std::span<const Field> FieldSplitter::split(std::string_view line)
{
    m_fields.clear();
    m_usedNames = 0;
    FieldScanner(*this, line).scan();
    return m_fields;
}

const Field* findField(std::span<const Field> fields, std::string_view name) noexcept
{
    const auto found = std::find_if(fields.begin(), fields.end(),
        [&](const Field& field) { return equalsIgnoringCase(field.name, name); });
    return found == fields.end() ? nullptr : &*found;
}

bool isStepName(std::string_view name) noexcept
{
    constexpr std::array<std::string_view, 24> kNames{"step", "steps", "global_step", "global step",
        "global_steps", "train_step", "train/step", "train/global_step", "current_steps",
        "iteration", "iter", "iters", "it", "update", "num_updates", "updates",
        "trainer/global_step", "training_step", "optimizer_step", "step_num", "ba", "\xE7\xAC\xAC",
        "\xE6\xAD\xA5\xE6\x95\xB0", "\xE8\xBF\xAD\xE4\xBB\xA3"};
    return std::any_of(kNames.begin(), kNames.end(),
        [&](std::string_view known) { return equalsIgnoringCase(known, name); });
}

const Field* findStepField(std::span<const Field> fields) noexcept
{
    constexpr double kMaxStep = 9e15;
    for (const Field& field : fields) {
        if (!field.isNumber || !isStepName(field.name))
            continue;
        const bool whole = field.number >= 0 && field.number < kMaxStep
            && static_cast<double>(static_cast<std::int64_t>(field.number)) == field.number;
        if (whole)
            return &field;
    }
    return nullptr;
}

}  // namespace firstbad::core
