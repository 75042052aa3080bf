// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/source_text.h"

#include "core/base/text.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/notes_text.h"
#include "core/present/text/text_table.h"

#include <algorithm>

namespace firstbad::core {
namespace {

Span stateCell(const SourceInfo& source)
{
    switch (source.state) {
    case SourceState::Read: {
        if (source.skipped.empty())
            return {"", Role::Plain};
        const auto damaged = std::count_if(source.skipped.begin(), source.skipped.end(),
            [](const SkippedPart& part) { return !part.mayBeGrowing; });
        const std::string count = groupedInteger(static_cast<long long>(source.skipped.size()));
        return {count + " skipped", damaged > 0 ? Role::Unknown : Role::Muted};
    }
    case SourceState::Damaged:
        return {"damaged", Role::Fault};
    case SourceState::Unsupported:
        return {"unsupported", Role::Unknown};
    case SourceState::NotRecognised:
        return {"not recognised", Role::Unknown};
    case SourceState::Ignored:
        break;
    }
    return {"not a log", Role::Muted};
}

}  // namespace

StyledText sourcesText(const std::vector<SourceInfo>& sources, const TextStyle& style, bool verbose)
{
    using Align = TextTable::Align;
    constexpr std::size_t kShortHash = 8;
    TextTable table({{"source", Align::Left, true}, {"format"}, {"bytes", Align::Right},
        {"records", Align::Right}, {"sha256"}, {""}});
    for (const SourceInfo& source : sources)
        table.addRow({{source.path}, {source.format, Role::Muted}, {humanBytes(source.bytes)},
            {groupedInteger(static_cast<long long>(source.records))},
            {source.sha256.substr(0, kShortHash), Role::Muted}, stateCell(source)});
    StyledText out = sources.empty() ? StyledText{LineBuilder(style).add("no source").take()}
                                     : table.lines(style);
    Dataset notes;
    notes.sources = sources;
    addNotes(out, notes, style, 5, verbose);
    if (verbose) {
        for (const SourceInfo& source : sources) {
            if (!source.sha256.empty())
                addLabelled(out, style, "hash", 5, source.sha256 + "  " + source.path);
        }
    }
    return out;
}

}  // namespace firstbad::core
