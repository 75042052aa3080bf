// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of the tests of structured sources: read text in memory, look at one series.
#pragma once

#include "core/import/record_sink.h"
#include "core/import/structured/csv_table.h"
#include "core/import/structured/json_importer.h"
#include "core/import/structured/json_lines_reader.h"
#include "tests/support/catch.h"

#include <string>
#include <string_view>
#include <vector>

namespace firstbad::test {

/// Calls `take` with every line of `text`, numbered and placed as a TextSource would.
template <class Take> void eachLine(std::string_view text, Take take)
{
    std::size_t at = 0;
    for (std::uint64_t number = 1; at < text.size(); ++number) {
        const std::size_t end = text.find('\n', at);
        const bool open = end == std::string_view::npos;
        std::string_view line = text.substr(at, open ? std::string_view::npos : end - at);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        take(line, number, at, open);
        at = open ? text.size() : end + 1;
    }
}

inline core::SourceData readLines(std::string_view text, const core::ImportOptions& options = {})
{
    core::RecordSink sink;
    core::JsonLinesReader reader(sink, options);
    eachLine(text, [&](std::string_view line, std::uint64_t number, std::size_t at, bool open) {
        reader.add({line, number, at, open});
    });
    reader.finish();
    return sink.take();
}

inline core::SourceData readTable(
    std::string_view text, std::string name, const core::ImportOptions& options = {})
{
    core::RecordSink sink;
    core::CsvTable table(sink, std::move(name), options);
    eachLine(core::withoutByteOrderMark(text),
        [&](std::string_view line, std::uint64_t number, std::size_t at, bool open) {
            table.add({line, number, at, open});
        });
    table.finish();
    return sink.take();
}

inline const core::RawColumn* find(const core::SourceData& data, std::string_view name)
{
    for (const core::RawColumn& column : data.columns) {
        if (column.name == name)
            return &column;
    }
    return nullptr;
}

/// The points and missing steps of a series; fails the test when there is none.
inline core::Column columnOf(const core::SourceData& data, std::string_view name)
{
    INFO("series " << name);
    const core::RawColumn* const raw = find(data, name);
    REQUIRE(raw != nullptr);
    return raw->points.slice(0, raw->points.size(), 0, raw->points.missingSize());
}

using Steps = std::vector<std::int64_t>;
using Values = std::vector<double>;

}  // namespace firstbad::test
