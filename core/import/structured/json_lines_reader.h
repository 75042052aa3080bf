// SPDX-License-Identifier: GPL-3.0-or-later
// JsonLinesReader: reads JSON objects line by line, dirt between them included.
//
// One object for one source, one thread. Memory: the longest object (at most 1 MiB when it spans
// lines) and the first 256 records.
#pragma once

#include "core/import/record_sink.h"
#include "core/import/structured/record_table.h"

#include <string>
#include <string_view>

namespace firstbad::core {

struct JsonLine {
    std::string_view text;
    std::uint64_t number = 0;
    std::uint64_t offset = 0;
    bool unterminated = false;
};

class JsonLinesReader
{
public:
    JsonLinesReader(RecordSink& sink, const ImportOptions& options)
        : m_sink(sink)
        , m_table(sink, m_flat, options)
    { }

    void add(const JsonLine& line);
    void finish();

private:
    bool take(std::string_view json, std::uint64_t line, std::uint64_t offset);
    void takeSeveral(const JsonLine& line);
    void startSpan(const JsonLine& line);
    void continueSpan(const JsonLine& line);
    void dropSpan();
    void skip(const JsonLine& line, const char* code, std::string reason);

    RecordSink& m_sink;
    JsonFlattener m_flat;
    RecordTable m_table;
    JsonReader m_reader;
    std::size_t m_errorAt = 0;  // in the last text that take() refused
    std::string m_span;  // an object that goes on over several lines
    JsonLine m_spanStart;
    bool m_inString = false;
    bool m_escaped = false;
    std::int64_t m_depth = 0;

    void balance(std::string_view text) noexcept;
};

}  // namespace firstbad::core
