// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/megatron_dialect.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/import/dialects/megatron_validation.h"
#include "core/import/dialects/pair_recorder.h"

#include <cstring>
#include <string>
#include <vector>

namespace firstbad::core {
namespace {

constexpr std::string_view kIteration = "iteration";

/// "iteration  12/ 500" or "iteration=12/500": the step and where the head ends.
struct IterationHead {
    std::int64_t step = 0;
    std::size_t end = 0;
};

std::size_t skipBlanks(std::string_view text, std::size_t at) noexcept
{
    while (at < text.size() && text[at] == ' ')
        ++at;
    return at;
}

std::optional<std::int64_t> digitsAt(std::string_view text, std::size_t& at) noexcept
{
    constexpr std::size_t kMaxDigits = 15;
    const std::size_t begin = at;
    std::int64_t value = 0;
    while (at < text.size() && isAsciiDigit(text[at]) && at - begin < kMaxDigits)
        value = value * 10 + (text[at++] - '0');
    return at > begin ? std::optional(value) : std::nullopt;
}

std::optional<IterationHead> iterationHead(std::string_view text) noexcept
{
    if (text.compare(0, kIteration.size(), kIteration) != 0)
        return std::nullopt;
    std::size_t at = kIteration.size();
    if (at < text.size() && text[at] == '=')
        ++at;
    at = skipBlanks(text, at);
    const auto step = digitsAt(text, at);
    at = skipBlanks(text, at);
    if (!step || at >= text.size() || text[at] != '/')
        return std::nullopt;
    at = skipBlanks(text, at + 1);
    if (!digitsAt(text, at))
        return std::nullopt;
    return IterationHead{*step, at};
}

/// The head of a record and where it stands: GPT-NeoX prints a field before it.
struct RecordPlace {
    IterationHead head;
    std::size_t begin = 0;
};

std::optional<RecordPlace> findRecord(std::string_view text) noexcept
{
    if (const auto head = iterationHead(text))
        return RecordPlace{*head, 0};
    constexpr std::string_view kBehindField = "| iteration";
    constexpr std::size_t kWindow = 160;
    const std::size_t at = text.substr(0, kWindow).find(kBehindField);
    if (at == std::string_view::npos)
        return std::nullopt;
    auto head = iterationHead(text.substr(at + 2));
    if (!head)
        return std::nullopt;
    head->end += at + 2;
    return RecordPlace{*head, at + 2};
}

bool namesLoss(std::string_view name) noexcept
{
    return name.find("loss") != std::string_view::npos
        && name.find("scale") == std::string_view::npos;
}

/// What ends a number that is a value: not "1GB/2GB/3GB" and not "2031-02-03".
bool isWholeValue(std::string_view rest) noexcept
{
    std::size_t at = 0;
    while (at < rest.size() && (isAsciiAlpha(rest[at]) || rest[at] == '%'))
        ++at;
    const bool unit = at > 0;
    if (at == rest.size() || rest[at] == ' ' || rest[at] == '|')
        return true;
    return !unit && rest[at] == '/';  // "2701.3/2712.7": the current value, then the average
}

class MegatronReader final : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const auto place = findRecord(line.text);
        if (!place)
            return m_validation.read(line, sink);
        std::string_view text = line.text;
        while (!text.empty() && isBlank(text.back()))
            text.remove_suffix(1);
        if (isTorn(text)) {
            reportTornLine(line, sink);
            return LineVerdict::Damaged;
        }
        beginRecord(*place, line, sink);
        if (place->begin > 0)
            readFields(text.substr(0, place->begin), sink);
        readFields(text.substr(place->head.end), sink);
        noteMissingLosses(sink);
        return LineVerdict::Taken;
    }

    void finish(RecordSink& sink) override
    {
        if (!m_losslessSteps.empty())  // no record named a loss: the usual one is what lacks
            tellLossless(sink, sink.column("lm loss"));
        sink.data().traits.lossFieldDropsNonfinite = true;
        sink.data().traits.interval = std::max<std::int64_t>(m_interval, 1);
    }

private:
    struct Slot {
        std::string key;  // the name and the separator behind it, as printed
        ColumnHandle handle;
        std::uint64_t lastRecord = 0;
        bool isLoss = false;
    };

    /// Every whole record so far ended in '|', and this one does not: it was cut.
    [[nodiscard]] bool isTorn(std::string_view text)
    {
        const bool closed = text.back() == '|';
        if (!closed && m_closedRecords > 0 && m_openRecords == 0)
            return true;
        ++(closed ? m_closedRecords : m_openRecords);
        return false;
    }

    void beginRecord(const RecordPlace& place, const TextLine& line, RecordSink& sink)
    {
        const std::int64_t distance = place.head.step - m_lastStep;
        if (m_record > 0 && distance > 0) {  // the most frequent distance wins (majority vote)
            if (distance == m_interval)
                ++m_intervalVotes;
            else if (m_intervalVotes > 0)
                --m_intervalVotes;
            else
                m_interval = distance;
        }
        m_lastStep = place.head.step;
        ++m_record;
        m_nextSlot = 0;
        sink.beginRecord(place.head.step, line.time, line.number);
    }

    void readFields(std::string_view text, RecordSink& sink)
    {
        std::size_t at = 0;
        for (;;) {
            while (at < text.size() && (text[at] == ' ' || text[at] == '|' || text[at] == '\t'))
                ++at;
            if (at >= text.size())
                return;
            at = readField(text, at, sink);
        }
    }

    /// Reads the field at `at`; returns where the next one may begin.
    std::size_t readField(std::string_view text, std::size_t at, RecordSink& sink)
    {
        Slot* slot = expectedSlot(text.substr(at));
        std::size_t value = 0;
        if (slot != nullptr) {
            value = at + slot->key.size();
        } else {
            const std::size_t end = std::min(text.find('|', at), text.size());
            const std::string_view field = text.substr(at, end - at);
            const std::size_t separator = separatorEnd(field);
            if (separator == 0)
                return end;
            value = at + separator;
            const auto parsed = valueAt(text, value);
            if (!parsed)
                return end;
            slot = &slotFor(field.substr(0, separator), sink);
        }
        value = skipBlanks(text, value);
        const auto parsed = parseNumberPrefix(text.substr(value));
        if (parsed && isWholeValue(text.substr(value + parsed->length))) {
            sink.add(slot->handle, parsed->value);
            slot->lastRecord = m_record;
            value += parsed->length;
            if (text.substr(value, 2) == " |")
                return value + 2;
        }
        const std::size_t end = text.find('|', value);
        return end == std::string_view::npos ? text.size() : end;
    }

    [[nodiscard]] static std::optional<ParsedNumber> valueAt(std::string_view text, std::size_t at)
    {
        at = skipBlanks(text, at);
        const auto parsed = parseNumberPrefix(text.substr(std::min(at, text.size())));
        if (parsed && isWholeValue(text.substr(at + parsed->length)))
            return parsed;
        return std::nullopt;
    }

    /// Behind the last ": " or '=' of a field; 0 when it has none.
    [[nodiscard]] static std::size_t separatorEnd(std::string_view field) noexcept
    {
        const std::size_t colon = field.rfind(':');
        const std::size_t equals = field.rfind('=');
        if (colon == std::string_view::npos && equals == std::string_view::npos)
            return 0;
        if (colon == std::string_view::npos)
            return equals + 1;
        return (equals == std::string_view::npos ? colon : std::max(colon, equals)) + 1;
    }

    [[nodiscard]] Slot* expectedSlot(std::string_view text) noexcept
    {
        // A field that is missing costs one more comparison, not the slow way.
        for (std::size_t i = m_nextSlot; i < m_slots.size(); ++i) {
            const std::string& key = m_slots[i].key;
            if (text.size() > key.size() && std::memcmp(text.data(), key.data(), key.size()) == 0) {
                m_nextSlot = i + 1;
                return &m_slots[i];
            }
        }
        return nullptr;
    }

    [[nodiscard]] Slot& slotFor(std::string_view key, RecordSink& sink)
    {
        for (Slot& slot : m_slots) {
            if (slot.key == key)
                return slot;
        }
        const std::string_view name = trimmed(key.substr(0, key.size() - 1));
        m_slots.push_back({std::string(key), sink.column(name), 0, namesLoss(name)});
        return m_slots.back();
    }

    void noteMissingLosses(RecordSink& sink)
    {
        constexpr std::size_t kMaxLossless = 100'000;
        bool named = false;
        for (const Slot& slot : m_slots) {
            if (!slot.isLoss)
                continue;
            if (!named && !m_losslessSteps.empty())
                tellLossless(sink, slot.handle);
            named = true;
            if (slot.lastRecord != m_record)
                sink.addMissing(slot.handle);
        }
        if (!named && m_losslessSteps.size() < kMaxLossless)
            m_losslessSteps.push_back(m_lastStep);
    }

    /// Records before the first loss lacked it too: its name is known only now.
    void tellLossless(RecordSink& sink, ColumnHandle loss)
    {
        for (const std::int64_t step : m_losslessSteps)
            sink.raw(loss).points.addMissing(step);
        m_losslessSteps.clear();
    }

    MegatronValidation m_validation;
    std::vector<Slot> m_slots;
    std::size_t m_nextSlot = 0;
    std::vector<std::int64_t> m_losslessSteps;  // of records before any loss was named
    std::uint64_t m_record = 0;
    std::int64_t m_lastStep = 0;
    std::int64_t m_interval = 1;
    std::uint64_t m_intervalVotes = 0;
    std::uint64_t m_closedRecords = 0;
    std::uint64_t m_openRecords = 0;
};

int score(std::string_view line)
{
    constexpr int kRecord = 90;
    const auto place = findRecord(line);
    if (place && line.substr(place->head.end).find('|') != std::string_view::npos)
        return kRecord;
    return isMegatronValidation(line) ? kRecord : 0;
}

}  // namespace

LineDialect megatronDialect() noexcept
{
    return {"megatron", "Megatron-LM and its forks", DialectRole::Primary, &score,
        [] { return std::unique_ptr<LineReader>(std::make_unique<MegatronReader>()); }};
}

}  // namespace firstbad::core
