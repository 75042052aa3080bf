// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds lines to one dialect's reader, as the text engine would, and gives what came of it.
#pragma once

#include "core/import/text/line_dialect.h"
#include "core/series/column.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core::test {

struct ReadLines {
    SourceData data;
    std::vector<LineVerdict> verdicts;

    [[nodiscard]] const RawColumn* column(std::string_view name) const
    {
        for (const RawColumn& candidate : data.columns) {
            if (candidate.name == name)
                return &candidate;
        }
        return nullptr;
    }
    [[nodiscard]] Column points(std::string_view name) const
    {
        const RawColumn* found = column(name);
        return found == nullptr
            ? Column{}
            : found->points.slice(0, found->points.size(), 0, found->points.missingSize());
    }
    [[nodiscard]] std::vector<const LogEvent*> events(EventKind kind) const
    {
        std::vector<const LogEvent*> found;
        for (const LogEvent& event : data.events) {
            if (event.kind == kind)
                found.push_back(&event);
        }
        return found;
    }
};

/// A line without the trailing '\n' in the last place counts as unterminated.
inline ReadLines readTextLines(const LineDialect& dialect, const std::vector<TextLine>& lines)
{
    RecordSink sink;
    ReadLines result;
    const auto reader = dialect.make();
    for (const TextLine& line : lines)
        result.verdicts.push_back(reader->read(line, sink));
    reader->finish(sink);
    result.data = sink.take();
    return result;
}

inline ReadLines readLines(const LineDialect& dialect, const std::vector<std::string_view>& texts,
    bool lastIsUnterminated = false)
{
    std::vector<TextLine> lines;
    std::uint64_t offset = 0;
    for (const std::string_view text : texts) {
        TextLine line;
        line.text = text;
        line.raw = text;
        line.number = lines.size() + 1;
        line.offset = offset;
        offset += text.size() + 1;
        lines.push_back(line);
    }
    if (!lines.empty())
        lines.back().unterminated = lastIsUnterminated;
    return readTextLines(dialect, lines);
}

}  // namespace firstbad::core::test
