// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/ledger_fields.h"

#include "core/base/json_reader.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace firstbad::core {
namespace {

constexpr int kMaxDepth = 64;

struct KnownName {
    std::string_view name;
    LedgerName id;
};

constexpr std::array<KnownName, 20> kKnown{{
    {"kind", LedgerName::Kind},
    {"prev", LedgerName::Prev},
    {"step", LedgerName::Step},
    {"micro_step", LedgerName::MicroStep},
    {"sample_ids", LedgerName::SampleIds},
    {"loss", LedgerName::Loss},
    {"loss_scale", LedgerName::LossScale},
    {"loss_scale_after", LedgerName::LossScaleAfter},
    {"learning_rate", LedgerName::LearningRate},
    {"total_grad_norm", LedgerName::TotalGradNorm},
    {"skipped_step", LedgerName::SkippedStep},
    {"local_bad", LedgerName::LocalBad},
    {"global_bad", LedgerName::GlobalBad},
    {"first_bad_stage", LedgerName::FirstBadStage},
    {"optimizer_steps", LedgerName::OptimizerSteps},
    {"schedule_steps", LedgerName::ScheduleSteps},
    {"consumed_samples", LedgerName::ConsumedSamples},
    {"consumed_tokens", LedgerName::ConsumedTokens},
    {"accum", LedgerName::Accum},
    {"optimizers", LedgerName::Optimizers},
}};

/// Which characters end a scalar, and which matter inside an object or list.
struct CharacterTable {
    std::array<bool, 256> isScalar{};
    std::array<bool, 256> isStructure{};

    constexpr CharacterTable()
    {
        for (std::size_t c = 0; c < 256; ++c) {
            const auto letter = static_cast<char>(c);
            isScalar[c] = isAsciiDigit(letter) || isAsciiAlpha(letter) || letter == '-'
                || letter == '+' || letter == '.';
            isStructure[c]
                = letter == '"' || letter == '{' || letter == '}' || letter == '[' || letter == ']';
        }
    }
};
constexpr CharacterTable kTable;

std::size_t indexOf(char c) noexcept
{
    return static_cast<unsigned char>(c);
}

}  // namespace

/// A place in the line that moves on; every take...() answers whether it stood there.
class LedgerFields::Cursor
{
public:
    explicit Cursor(std::string_view line)
        : m_at(line.data())
        , m_end(line.data() + line.size())
    { }

    [[nodiscard]] bool atEnd() const noexcept { return m_at == m_end; }
    [[nodiscard]] char here() const noexcept { return m_at < m_end ? *m_at : '\0'; }

    void skipBlanks() noexcept
    {
        while (m_at < m_end && isBlank(*m_at))
            ++m_at;
    }

    bool take(char c) noexcept
    {
        if (here() != c || atEnd())
            return false;
        ++m_at;
        return true;
    }

    /// `"name":` as it stood there last time; does not move when something else stands there.
    bool takeExpected(std::string_view name, std::string_view& raw) noexcept
    {
        if (static_cast<std::size_t>(m_end - m_at) < name.size() + 3 || *m_at != '"'
            || std::memcmp(m_at + 1, name.data(), name.size()) != 0 || m_at[name.size() + 1] != '"'
            || m_at[name.size() + 2] != ':')
            return false;
        raw = {m_at + 1, name.size()};
        m_at += name.size() + 3;
        return true;
    }

    bool takeText(std::string_view& raw) noexcept
    {
        const char* const from = m_at;
        if (!take('"'))
            return false;
        while (m_at < m_end && *m_at != '"')
            m_at += *m_at == '\\' ? 2 : 1;
        if (m_at >= m_end)
            return false;
        ++m_at;
        raw = {from, static_cast<std::size_t>(m_at - from)};
        return true;
    }

    bool takeValue(std::string_view& raw) noexcept
    {
        const char c = here();
        if (c == '"')
            return takeText(raw);
        return c == '{' || c == '[' ? takeNested(raw) : takeScalar(raw);
    }

private:
    bool takeScalar(std::string_view& raw) noexcept
    {
        const char* const from = m_at;
        while (m_at < m_end && kTable.isScalar[indexOf(*m_at)])
            ++m_at;
        raw = {from, static_cast<std::size_t>(m_at - from)};
        return !raw.empty();
    }

    bool takeNested(std::string_view& raw) noexcept
    {
        const char* const from = m_at;
        int depth = 0;
        while (m_at < m_end && depth <= kMaxDepth) {
            const char c = *m_at;
            if (!kTable.isStructure[indexOf(c)]) {
                ++m_at;
                continue;
            }
            if (c == '"') {
                std::string_view inner;
                if (!takeText(inner))
                    return false;
                continue;
            }
            depth += c == '{' || c == '[' ? 1 : 0;
            depth -= c == '}' || c == ']' ? 1 : 0;
            ++m_at;
            if (depth == 0) {
                raw = {from, static_cast<std::size_t>(m_at - from)};
                return true;
            }
        }
        return false;
    }

    const char* m_at;
    const char* m_end;
};

bool LedgerFields::split(std::string_view line)
{
    m_fields.clear();
    Cursor cursor(line);
    cursor.skipBlanks();
    if (!cursor.take('{'))
        return false;
    cursor.skipBlanks();
    bool open = !cursor.take('}');
    while (open) {
        LedgerField& field = m_fields.emplace_back();
        if (!takeName(cursor, field))
            return false;
        cursor.skipBlanks();
        if (!cursor.takeValue(field.raw))
            return false;
        cursor.skipBlanks();
        open = cursor.take(',');
        cursor.skipBlanks();
        if (!open && !cursor.take('}'))
            return false;
    }
    cursor.skipBlanks();
    return cursor.atEnd();
}

bool LedgerFields::takeName(Cursor& cursor, LedgerField& field)
{
    const std::size_t position = m_fields.size() - 1;
    if (position < m_last.size() && cursor.takeExpected(m_last[position].first, field.name)) {
        field.known = m_last[position].second;
        return true;
    }
    if (!cursor.takeText(field.name))
        return false;
    field.name = field.name.substr(1, field.name.size() - 2);
    field.known = nameAt(position, field.name);
    cursor.skipBlanks();
    return cursor.take(':');
}

LedgerName LedgerFields::nameAt(std::size_t position, std::string_view name)
{
    const auto* const found = std::find_if(
        kKnown.begin(), kKnown.end(), [&](const KnownName& known) { return known.name == name; });
    const LedgerName id = found != kKnown.end() ? found->id : LedgerName::Other;
    if (position >= m_last.size())
        m_last.resize(position + 1);
    m_last[position] = {std::string(name), id};
    return id;
}

const LedgerField* LedgerFields::find(std::string_view name) const noexcept
{
    const auto found = std::find_if(m_fields.begin(), m_fields.end(),
        [&](const LedgerField& field) { return field.name == name; });
    return found != m_fields.end() ? &*found : nullptr;
}

const LedgerField* LedgerFields::find(LedgerName name) const noexcept
{
    const auto found = std::find_if(m_fields.begin(), m_fields.end(),
        [&](const LedgerField& field) { return field.known == name; });
    return found != m_fields.end() ? &*found : nullptr;
}

std::string LedgerFields::text(std::string_view name) const
{
    const LedgerField* const field = find(name);
    return field != nullptr ? ledgerText(field->raw) : std::string();
}

std::optional<std::int64_t> LedgerFields::integer(std::string_view name) const
{
    const LedgerField* const field = find(name);
    return field != nullptr ? parseInteger(field->raw) : std::nullopt;
}

std::optional<double> LedgerFields::number(std::string_view name) const
{
    const LedgerField* const field = find(name);
    return field != nullptr ? ledgerNumber(field->raw) : std::nullopt;
}

std::string ledgerText(std::string_view raw)
{
    if (raw == "null")
        return {};
    if (raw.size() < 2 || raw.front() != '"')
        return toValidUtf8(raw);
    if (raw.find('\\') == std::string_view::npos)
        return toValidUtf8(raw.substr(1, raw.size() - 2));
    const auto value = parseJson(raw);
    return value ? toValidUtf8(value->asText()) : std::string();
}

std::optional<double> ledgerNumber(std::string_view raw) noexcept
{
    if (raw.empty() || raw == "null")
        return std::nullopt;
    if (raw == "true" || raw == "false")
        return raw == "true" ? 1.0 : 0.0;
    if (raw.front() == '"')
        raw = raw.substr(1, raw.size() - 2);
    const auto parsed = parseNumber(raw);
    return parsed ? std::optional(parsed->value) : std::nullopt;
}

}  // namespace firstbad::core
