// SPDX-License-Identifier: GPL-3.0-or-later
// LedgerReader: the lines of one evidence ledger (version 1) as series and events, beside the
// RankLedger that verifies them.
//
// One object for one file, one thread; O(line) a line.
#pragma once

#include "core/import/record_sink.h"
#include "core/import/structured/json_record.h"
#include "core/ledger/rank_ledger_reader.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

class LedgerReader
{
public:
    explicit LedgerReader(RecordSink& sink)
        : m_sink(sink)
    { }

    void add(const LedgerLine& line);
    /// `path` as shown: the ledger names itself by it.
    void finish(const std::string& path = {});

private:
    struct Fields;

    void take(const LedgerLine& line, const Fields& fields, bool contradicts);
    void takeHeader(const LedgerLine& line, const Fields& fields);
    void takeStep(const LedgerLine& line, const Fields& fields);
    void takeBad(const LedgerLine& line, const Fields& fields, bool contradicts);
    void takeEvent(const LedgerLine& line, const Fields& fields, std::string_view kind);
    LogEvent event(const LedgerLine& line, const Fields& fields, EventKind kind) const;
    ColumnHandle column(std::uint32_t node);
    ColumnHandle sampleColumn();  ///< one number that stands for the ids of a step's samples

    RecordSink& m_sink;
    JsonFlattener m_flat;
    JsonReader m_reader;
    RankLedgerReader m_ledger;
    bool m_hasHeader = false;
    std::optional<RankId> m_rank;
    bool m_namesRank = false;
    std::map<std::uint32_t, ColumnHandle> m_columns;
    std::optional<ColumnHandle> m_samples;
};

}  // namespace firstbad::core
