// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/text/dialect_runner.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace firstbad::core {

DialectRunner::DialectRunner(const DialectScores& scores, RecordSink& sink)
    : m_primary(scores.best())
    , m_sink(sink)
    , m_rankSeries(scores.ranksDiffer())
    , m_severalRanks(scores.severalRanks())
{
    for (const LineDialect& dialect : dialectTable()) {
        if (dialect.role == DialectRole::Companion)
            m_companions.push_back(dialect.make());
    }
}

LineReader* DialectRunner::readerFor(std::optional<std::int32_t> rank)
{
    if (m_primary == nullptr)
        return nullptr;
    auto& reader = m_readers[m_rankSeries ? rank : std::nullopt];
    if (!reader)
        reader = m_primary->make();
    return reader.get();
}

bool DialectRunner::repeatsOtherRank(const TextLine& line)
{
    if (!m_severalRanks || m_rankSeries || !line.rank)
        return false;
    const std::size_t hash = std::hash<std::string_view>()(line.text);
    const bool known = std::any_of(m_said.begin(), m_said.end(),
        [&](const Said& said) { return said.hash == hash && said.rank != *line.rank; });
    if (!known) {
        m_said.at(m_nextSaid) = {hash, *line.rank};
        m_nextSaid = (m_nextSaid + 1) % m_said.size();
    }
    return known;
}

bool DialectRunner::isTorn(const TextLine& line)
{
    if (!(line.unterminated || line.isSpliced) || m_primary == nullptr)
        return false;
    const bool record = m_primary->score(line.text) > 0;
    if (m_recent.judgeLast(line.text, record) != LastLine::Torn)
        return false;
    SkippedPart part;
    part.code = "torn-line";
    part.reason = fmt::format("Line {} ends in the middle of a record.", line.number);
    part.offset = line.offset;
    part.length = line.raw.size();
    part.line = line.number;
    part.mayBeGrowing = line.unterminated;
    m_sink.addSkipped(std::move(part));
    return true;
}

bool DialectRunner::offerToCompanions(const TextLine& line)
{
    m_sink.setRank({});
    for (const auto& companion : m_companions) {
        if (companion->read(line, m_sink) != LineVerdict::NotMine)
            return true;
    }
    return false;
}

void DialectRunner::read(const TextLine& line)
{
    if (line.text.empty() || isTorn(line) || repeatsOtherRank(line))
        return;
    const bool yields = m_primary != nullptr && m_primary->yields && !line.barOnly;
    if (yields && offerToCompanions(line))
        return;
    const bool shown = m_primary != nullptr && (!m_primary->onlyBars || line.barOnly);
    if (LineReader* const reader = shown ? readerFor(line.rank) : nullptr) {
        if (m_rankSeries)
            m_sink.setRank(line.rank ? std::optional(RankId{*line.rank}) : std::nullopt);
        const LineVerdict verdict = reader->read(line, m_sink);
        if (verdict == LineVerdict::Taken)
            m_recent.add(line.text);
        if (verdict != LineVerdict::NotMine)
            return;
    }
    if (!yields && !line.barOnly)
        static_cast<void>(offerToCompanions(line));
}

void DialectRunner::finish()
{
    for (const auto& [rank, reader] : m_readers) {
        m_sink.setRank(rank ? std::optional(RankId{*rank}) : std::nullopt);
        reader->finish(m_sink);
    }
    m_sink.setRank({});
    for (const auto& companion : m_companions)
        companion->finish(m_sink);
}

}  // namespace firstbad::core
