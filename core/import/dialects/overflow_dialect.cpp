// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/overflow_dialect.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/import/dialects/pair_recorder.h"

#include <cmath>

namespace firstbad::core {
namespace {

/// The number behind `mark`; nullopt when the mark or the number is not there.
std::optional<double> numberBehind(std::string_view text, std::string_view mark) noexcept
{
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::string_view rest = text.substr(at + mark.size());
    while (!rest.empty() && (isBlank(rest.front()) || rest.front() == ':'))
        rest.remove_prefix(1);
    const auto number = parseNumberPrefix(rest);
    return number ? std::optional(number->value) : std::nullopt;
}

struct ScaleMove {
    std::optional<double> before;
    std::optional<double> after;
    bool operator==(const ScaleMove&) const = default;
};

class OverflowReader final : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        if (!containsIgnoringCase(line.text, "scale")
            && !containsIgnoringCase(line.text, "overflow"))
            return LineVerdict::NotMine;
        return readAttempt(line, sink) || readFused(line, sink) || readApex(line, sink)
            ? LineVerdict::Taken
            : LineVerdict::NotMine;
    }

    void finish(RecordSink& sink) override { flushFused(sink); }

private:
    /// "Attempted loss scale: A, reducing to B" and "..., but hysteresis is H. Reducing ...".
    bool readAttempt(const TextLine& line, RecordSink& sink)
    {
        const auto before = numberBehind(line.text, "Attempted loss scale");
        if (!before)
            return false;
        flushFused(sink);
        ScaleMove move{before, numberBehind(line.text, "reducing to")};
        if (!move.after)
            move.after = before;  // hysteresis took the overflow: the scale stays
        // The optimizer of the fused kind says the same a second time in these words.
        const bool saidBefore = m_lastWasFused && move == m_last && !recordsSince(sink);
        m_lastWasFused = false;
        if (!saidBefore && !isOtherRank(line))
            emit(EventKind::Overflow, move, std::nullopt, line, sink);
        return true;
    }

    /// "Grad overflow on iteration 17", then "Reducing dynamic loss scale from A to B".
    bool readFused(const TextLine& line, RecordSink& sink)
    {
        if (line.text.starts_with("No Grad overflow for"))
            return true;
        if (const auto iteration = numberBehind(line.text, "Grad overflow on iteration")) {
            flushFused(sink);
            if (m_fusedIteration != iteration || recordsSince(sink)) {
                m_fused = makeEvent(EventKind::GradOverflow, line, stepAfter(*iteration));
                m_fusedIteration = iteration;
                m_recordsAtLast = sink.records();
            }
            return true;
        }
        const bool reduces
            = line.text.find("Reducing dynamic loss scale from") != std::string_view::npos;
        const bool grows
            = line.text.find("Increasing dynamic loss scale from") != std::string_view::npos;
        if (!reduces && !grows)
            return false;
        const ScaleMove move{
            numberBehind(line.text, "scale from"), numberBehind(line.text, " to ")};
        if (reduces && m_fused) {
            m_fused->kind = EventKind::Overflow;
            m_fused->before = move.before;
            m_fused->after = move.after;
            m_last = move;
            m_lastWasFused = true;
            flushFused(sink);
        } else if (move != m_last || recordsSince(sink)) {
            emit(reduces ? EventKind::Overflow : EventKind::ScaleChange, move, std::nullopt, line,
                sink);
            m_lastWasFused = reduces;
        }
        return true;
    }

    /// "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 16384.0".
    bool readApex(const TextLine& line, RecordSink& sink)
    {
        if (line.text.find("Gradient overflow.") == std::string_view::npos)
            return false;
        const auto after = numberBehind(line.text, "reducing loss scale to");
        const ScaleMove move{after ? std::optional(*after * 2) : std::nullopt, after};
        // Every rank prints it: the same scale again before any record is the same overflow.
        if (move != m_last || recordsSince(sink))
            emit(EventKind::Overflow, move, std::nullopt, line, sink);
        return true;
    }

    [[nodiscard]] static std::optional<std::int64_t> stepAfter(double iteration) noexcept
    {
        constexpr double kMaxStep = 9e15;
        if (!(iteration >= 0.0 && iteration < kMaxStep))
            return std::nullopt;
        return static_cast<std::int64_t>(iteration) + 1;  // the scaler counts from 0
    }

    [[nodiscard]] bool recordsSince(const RecordSink& sink) const noexcept
    {
        return sink.records() != m_recordsAtLast;
    }

    /// With a rank prefix every rank tells of one overflow: the first rank that did so speaks.
    [[nodiscard]] bool isOtherRank(const TextLine& line)
    {
        if (!line.rank)
            return false;
        if (!m_speaker)
            m_speaker = line.rank;
        return *m_speaker != *line.rank;
    }

    void emit(EventKind kind, const ScaleMove& move, std::optional<std::int64_t> step,
        const TextLine& line, RecordSink& sink)
    {
        flushFused(sink);
        if (!step && line.barStep)
            step = *line.barStep + 1;  // the bar counts what is done: this was the next one
        LogEvent event = makeEvent(kind, line, step);
        event.before = move.before;
        event.after = move.after;
        sink.addEventBetweenRecords(std::move(event));
        m_last = move;
        m_recordsAtLast = sink.records();
    }

    void flushFused(RecordSink& sink)
    {
        if (!m_fused)
            return;
        sink.addEventBetweenRecords(std::move(*m_fused));
        m_fused.reset();
    }

    std::optional<LogEvent> m_fused;  // waits for the line that names the scale
    std::optional<double> m_fusedIteration;
    ScaleMove m_last;
    bool m_lastWasFused = false;
    std::uint64_t m_recordsAtLast = 0;
    std::optional<std::int32_t> m_speaker;
};

}  // namespace

LineDialect overflowDialect() noexcept
{
    return {"overflow", "overflow notes of DeepSpeed and apex", DialectRole::Companion, nullptr,
        [] { return std::unique_ptr<LineReader>(std::make_unique<OverflowReader>()); }};
}

}  // namespace firstbad::core
