// SPDX-License-Identifier: GPL-3.0-or-later
// LedgerReader: the lines of one evidence ledger (version 1), verified along their chain of hashes.
//
// One object for one file, one thread; O(line) a line.
#pragma once

#include "core/import/record_sink.h"
#include "core/import/structured/json_record.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace firstbad::core {

struct LedgerLine {
    std::string_view bytes;  ///< as stored, without the newline
    std::uint64_t number = 0;
    std::uint64_t offset = 0;
    bool terminated = true;
};

class LedgerReader
{
public:
    explicit LedgerReader(RecordSink& sink)
        : m_sink(sink)
    { }

    void add(const LedgerLine& line);
    void finish();

private:
    struct Fields;

    void take(const LedgerLine& line, const Fields& fields);
    void checkChain(const LedgerLine& line, const Fields& fields);
    void takeHeader(const LedgerLine& line, const Fields& fields);
    void takeStep(const LedgerLine& line, const Fields& fields);
    void takeBad(const LedgerLine& line, const Fields& fields);
    void takeEvent(const LedgerLine& line, const Fields& fields, std::string_view kind);
    LogEvent event(const LedgerLine& line, const Fields& fields, EventKind kind) const;
    ColumnHandle column(std::uint32_t node);
    ColumnHandle sampleColumn();  ///< one number that stands for the ids of a step's samples
    void skip(const LedgerLine& line, const char* code, std::string reason, bool growing = false);

    RecordSink& m_sink;
    JsonFlattener m_flat;
    JsonReader m_reader;
    std::string m_previousHash;
    bool m_hasHeader = false;
    std::optional<RankId> m_rank;
    bool m_namesRank = false;
    std::map<std::uint32_t, ColumnHandle> m_columns;
    std::optional<ColumnHandle> m_samples;
    std::optional<std::pair<std::int64_t, std::int64_t>> m_frozen;  // step, micro-step of first bad
    std::uint64_t m_breaks = 0;
    std::uint64_t m_lines = 0;
};

}  // namespace firstbad::core
