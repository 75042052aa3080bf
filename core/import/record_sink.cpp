// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/record_sink.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

// A source whose steps go back all the time is unsorted, not restarted: candidates beyond this are
// dropped.
constexpr std::uint64_t kMaxUncertainBreaks = 4096;

std::uint32_t shortLine(std::uint64_t line) noexcept
{
    return line <= std::numeric_limits<std::uint32_t>::max() ? static_cast<std::uint32_t>(line) : 0;
}

}  // namespace

void RecordSink::setRank(std::optional<RankId> rank)
{
    constexpr std::int32_t kMaxWatchedRanks = 65536;
    m_rank = rank;
    const bool own = rank && rank->value >= 0 && rank->value < kMaxWatchedRanks;
    m_watchSlot = own ? static_cast<std::size_t>(rank->value) + 1 : 0;
    if (m_watchSlot >= m_watched.size())
        m_watched.resize(m_watchSlot + 1);
}

ColumnHandle RecordSink::column(std::string_view name, std::optional<RankId> rank)
{
    if (!rank)
        rank = m_rank;
    std::string key(name);
    if (rank)
        key += fmt::format(" [rank {}]", rank->value);
    const auto [at, isNew]
        = m_byName.try_emplace(key, static_cast<std::uint32_t>(m_data.columns.size()));
    if (isNew) {
        RawColumn column;
        column.quantity = quantityFromName(name);
        column.unit = unitFromName(name, column.quantity);
        column.rank = rank;
        column.name = std::move(key);
        m_data.columns.push_back(std::move(column));
    }
    return {at->second};
}

void RecordSink::beginRecord(std::int64_t step, double time, std::uint64_t line, bool watchStep)
{
    if (watchStep) {
        if (m_placer.waits())
            addPlaced(m_placer.placeBefore(step, time));
        m_placer.note(step, time);
        auto& watched = m_watched[m_watchSlot];
        if (watched && step < *watched)
            addPossibleBreak(
                fmt::format("steps go back from {} to {}", *watched, step), step, time);
        watched = step;
    }
    m_step = step;
    m_time = time;
    m_line = line;
    ++m_data.info.records;
}

void RecordSink::add(ColumnHandle handle, double value)
{
    m_data.columns[handle.index].points.add(m_step, value, m_time, shortLine(m_line));
}

void RecordSink::addMissing(ColumnHandle handle)
{
    m_data.columns[handle.index].points.addMissing(m_step);
}

void RecordSink::addPoint(
    ColumnHandle handle, std::int64_t step, double value, double time, std::uint64_t line)
{
    m_data.columns[handle.index].points.add(step, value, time, shortLine(line));
}

Break RecordSink::makeBreak(
    std::string why, bool certain, std::optional<std::int64_t> step, double time) const
{
    Break made;
    made.why = std::move(why);
    made.certain = certain;
    made.record = m_data.info.records;
    made.step = step;
    if (isFinite(time))
        made.time = time;
    made.events = m_data.events.size();
    made.points.reserve(m_data.columns.size());
    made.missing.reserve(m_data.columns.size());
    for (const RawColumn& column : m_data.columns) {
        made.points.push_back(column.points.size());
        made.missing.push_back(column.points.missingSize());
    }
    return made;
}

void RecordSink::addBreak(std::string why, std::optional<std::int64_t> step, double time)
{
    m_data.breaks.push_back(makeBreak(std::move(why), true, step, time));
}

void RecordSink::addPossibleBreak(std::string why, std::int64_t step, double time)
{
    if (m_uncertainBreaks == kMaxUncertainBreaks)
        return;
    ++m_uncertainBreaks;
    m_data.breaks.push_back(makeBreak(std::move(why), false, step, time));
}

void RecordSink::addPlaced(std::vector<LogEvent> events)
{
    for (LogEvent& event : events)
        m_data.events.push_back(std::move(event));
}

void RecordSink::addEvent(LogEvent event)
{
    m_data.events.push_back(std::move(event));
}

void RecordSink::addSkipped(SkippedPart part)
{
    auto& skipped = m_data.info.skipped;
    if (skipped.size() < kMaxSkippedParts) {
        skipped.push_back(std::move(part));
        return;
    }
    if (skipped.size() == kMaxSkippedParts) {
        SkippedPart rest;
        rest.code = "more-skipped";
        rest.offset = part.offset;
        skipped.push_back(std::move(rest));
    }
    SkippedPart& rest = skipped.back();
    ++rest.length;
    rest.reason = fmt::format("{} further parts were skipped from here on.", rest.length);
}

SourceData RecordSink::take()
{
    if (m_placer.waits())
        addPlaced(m_placer.placeAtEnd());
    return std::move(m_data);
}

}  // namespace firstbad::core
