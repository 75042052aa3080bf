// SPDX-License-Identifier: GPL-3.0-or-later
// RecordSink: where every importer and dialect puts what it reads. Builds one SourceData.
//
// One thread. add() is the hot path: O(1), no allocation but a block every 32,768 points.
#pragma once

#include "core/import/event_placer.h"
#include "core/import/source.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace firstbad::core {

/// Column of the sink; valid as long as the sink.
struct ColumnHandle {
    std::uint32_t index = 0;
};

class RecordSink
{
public:
    /// The column for a name as the source spells it (rank given: " [rank k]" is appended to the
    /// name). Quantity and unit come from the name unless set afterwards through column().
    [[nodiscard]] ColumnHandle column(std::string_view name, std::optional<RankId> rank = {});
    /// From now on columns and records belong to this rank: column() without a rank means it, and
    /// steps are watched rank by rank. For sources in which every rank prints its own numbers.
    void setRank(std::optional<RankId> rank);
    [[nodiscard]] RawColumn& raw(ColumnHandle handle) { return m_data.columns[handle.index]; }

    /// Begins a record at `line` (0: none). Steps that go back against the record before are noted
    /// as a possible break; pass `watchStep` false for records whose step is no clock (evaluation,
    /// epochs).
    void beginRecord(std::int64_t step, double time, std::uint64_t line, bool watchStep = true);
    void add(ColumnHandle handle, double value);
    void addMissing(ColumnHandle handle);
    /// A point outside the current record, for sources without records (one metric a file).
    void addPoint(
        ColumnHandle handle, std::int64_t step, double value, double time, std::uint64_t line);

    /// A launch begins here for certain (banner, START, load line, new process).
    void addBreak(std::string why, std::optional<std::int64_t> step, double time);
    /// A launch may begin here: steps go back. For sources whose series have clocks of their own,
    /// so that beginRecord() can not watch them.
    void addPossibleBreak(std::string why, std::int64_t step, double time);
    void addEvent(LogEvent event);
    /// An event whose step is not written: the records around it give one (event_placer.h).
    void addEventBetweenRecords(LogEvent event) { m_placer.hold(std::move(event)); }
    void addSkipped(SkippedPart part);

    [[nodiscard]] std::int64_t step() const noexcept { return m_step; }  ///< of the current record
    [[nodiscard]] std::uint64_t records() const noexcept { return m_data.info.records; }
    [[nodiscard]] SourceData& data() noexcept { return m_data; }
    [[nodiscard]] SourceData take();

private:
    void addPlaced(std::vector<LogEvent> events);
    Break makeBreak(
        std::string why, bool certain, std::optional<std::int64_t> step, double time) const;

    SourceData m_data;
    std::unordered_map<std::string, std::uint32_t> m_byName;
    std::int64_t m_step = 0;
    double m_time = kNoTime;
    std::uint64_t m_line = 0;
    std::optional<RankId> m_rank;  // given by setRank()
    std::size_t m_watchSlot = 0;  // of m_rank: 0 without a rank, else rank + 1
    // Step of the last watched record, by rank; ranks beyond the limit share the first.
    std::vector<std::optional<std::int64_t>> m_watched{std::nullopt};
    std::uint64_t m_uncertainBreaks = 0;
    EventPlacer m_placer;
};

}  // namespace firstbad::core
