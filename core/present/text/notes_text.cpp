// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/notes_text.h"

#include "core/base/text.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/phrases.h"

#include <fmt/format.h>
#include <map>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostNotes = 6;

std::string placeOf(const SkippedPart& part)
{
    return part.line > 0 ? fmt::format("line {}", groupedInteger(static_cast<long long>(part.line)))
                         : fmt::format("byte {:#x}", part.offset);
}

/// "events.out.1: 3 parts skipped (bad-data-crc from byte 0x1f3a00)"
std::string skippedNote(const SourceInfo& source)
{
    struct Group {
        std::uint64_t count = 0;
        const SkippedPart* first = nullptr;
    };
    std::map<std::string, Group> groups;
    for (const SkippedPart& part : source.skipped) {
        Group& group = groups[part.code];
        if (group.count++ == 0)
            group.first = &part;
    }
    std::string text;
    for (const auto& [code, group] : groups) {
        text += text.empty() ? "" : "; ";
        if (group.count > 1)
            text += fmt::format("{} × ", group.count);
        text += group.count > 1 ? fmt::format("{}, first at {}", code, placeOf(*group.first))
                                : fmt::format("{} at {}", code, placeOf(*group.first));
    }
    return source.path + ": " + text;
}

std::string stateNote(const SourceInfo& source)
{
    if (!source.message.empty())
        return source.message.find(source.path) == std::string::npos
            ? source.path + ": " + source.message
            : source.message;
    return source.path + ": "
        + (source.state == SourceState::NotRecognised ? "not recognised" : "cannot be read");
}

std::vector<std::string> notesOf(const Dataset& dataset, bool verbose)
{
    std::vector<std::string> notes;
    for (const SourceInfo& source : dataset.sources) {
        if (source.state != SourceState::Read && source.state != SourceState::Ignored)
            notes.push_back(stateNote(source));
        if (source.skipped.empty())
            continue;
        if (!verbose) {
            notes.push_back(skippedNote(source));
            continue;
        }
        for (const SkippedPart& part : source.skipped)
            notes.push_back(fmt::format(
                "{} at {}: {} ({})", source.path, placeOf(part), part.reason, part.code));
    }
    for (const Diagnostic& diagnostic : dataset.diagnostics) {
        if (verbose || diagnostic.severity != Severity::Info)
            notes.push_back(diagnostic.message);
    }
    return notes;
}

}  // namespace

void addNotes(
    StyledText& out, const Dataset& dataset, const TextStyle& style, int indent, bool verbose)
{
    const std::vector<std::string> notes = notesOf(dataset, verbose);
    for (std::size_t i = 0; i < notes.size(); ++i) {
        if (!verbose && i == kMostNotes) {
            addLabelled(out, style, "", indent,
                fmt::format("{} more with -v", counted(notes.size() - i, "note")), Role::Muted);
            return;
        }
        addLabelled(out, style, i == 0 ? "note" : "", indent, notes[i]);
    }
}

}  // namespace firstbad::core
