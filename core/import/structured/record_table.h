// SPDX-License-Identifier: GPL-3.0-or-later
// RecordTable: turns flattened JSON records into points and events of a RecordSink.
//
// The first records are held back until it is clear which name is the step. One thread; O(leaves)
// a record.
#pragma once

#include "core/import/record_sink.h"
#include "core/import/structured/column_roles.h"
#include "core/import/structured/json_record.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

class RecordTable
{
public:
    RecordTable(RecordSink& sink, const JsonFlattener& names, const ImportOptions& options)
        : m_sink(sink)
        , m_names(names)
        , m_nameMap(options)
    { }

    void add(const JsonRecord& record);
    /// Writes what was held back. Call once, after the last record.
    void finish();

    /// Only records that look like measurements (a step or a known quantity) are taken; the rest of
    /// the file is then no log. Asked before finish() for documents that may be anything.
    [[nodiscard]] bool looksLikeALog();

private:
    struct Meaning {
        bool known = false;
        ColumnRole role = ColumnRole::Value;
        std::optional<StepName> step;
        bool isTime = false;
        bool isEvaluation = false;
        bool isNumeric = false;
        std::optional<ColumnHandle> plain;  // column of the first rank, or of all
        std::map<std::int32_t, ColumnHandle> ofRank;
        std::vector<std::int64_t> pendingMissing;  // until the first number decides
    };
    struct Header {
        std::optional<std::int64_t> step;
        std::optional<std::int32_t> rank;
        double time = kNoTime;
        std::size_t numbers = 0;
        bool onlyEvaluation = true;
        bool measured = false;  // a known quantity, or the name of a loss
    };

    Meaning& meaning(std::uint32_t node);
    void chooseStep();
    void writeHeld();
    void write(const JsonRecord& record);
    void writeValues(const JsonRecord& record, const Header& header);
    void writeLeaf(const JsonRecord& record, const JsonLeaf& leaf, const Header& header);
    bool writeLongForm(const JsonRecord& record, const Header& header);
    Header readHeader(const JsonRecord& record);
    void readAxis(const JsonRecord& record, const JsonLeaf& leaf, Meaning& what, Header& header);
    ColumnHandle column(std::uint32_t node, Meaning& what, std::optional<std::int32_t> rank);
    [[nodiscard]] std::optional<std::int64_t> stepOf(
        const JsonRecord& record, const JsonLeaf& leaf) const;

    RecordSink& m_sink;
    const JsonFlattener& m_names;
    NameMap m_nameMap;
    std::vector<Meaning> m_meanings;
    std::vector<JsonRecord> m_held;
    bool m_decided = false;
    std::optional<int> m_stepOrder;  // of the chosen step name
    StepAxis m_axis = StepAxis::Step;
    bool m_severalRanks = false;
    std::optional<std::int32_t> m_firstRank;
    std::optional<std::int64_t> m_lastStep;
    std::int64_t m_row = 0;
};

}  // namespace firstbad::core
