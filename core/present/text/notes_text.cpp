// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/notes_text.h"

#include "core/base/text.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/phrases.h"

#include <algorithm>
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

/// One sentence for all files that no reader knows.
std::string unknownFilesNote(const std::vector<const SourceInfo*>& unknown)
{
    constexpr std::size_t kNamed = 3;
    if (unknown.size() == 1)
        return stateNote(*unknown[0]);
    std::string text = counted(unknown.size(), "file") + " not recognised: ";
    for (std::size_t i = 0; i < std::min(unknown.size(), kNamed); ++i)
        text += (i == 0 ? "" : ", ") + unknown[i]->path;
    if (unknown.size() > kNamed)
        text += fmt::format(", {} more with -v", unknown.size() - kNamed);
    return text;
}

/// Sources in a bad state by the sentence that they share.
using Sayings = std::map<std::string, std::vector<const SourceInfo*>>;

bool isBad(const SourceInfo& source)
{
    return source.state == SourceState::Damaged || source.state == SourceState::Unsupported;
}

/// The message without the file that it names.
std::string sentenceOf(const SourceInfo& source)
{
    std::string sentence = source.message;
    const std::string place = source.path + ": ";
    if (sentence.starts_with(place))
        sentence.erase(0, place.size());
    return sentence;
}

Sayings sayingsOf(const Dataset& dataset)
{
    Sayings sayings;
    for (const SourceInfo& source : dataset.sources) {
        if (isBad(source))
            sayings[sentenceOf(source)].push_back(&source);
    }
    return sayings;
}

/// What is said of many files is said once, at the first of them.
void addStateNote(
    std::vector<std::string>& notes, const SourceInfo& source, const Sayings& sayings, bool verbose)
{
    constexpr std::size_t kMany = 3;
    const std::string sentence = sentenceOf(source);
    const auto& alike = sayings.at(sentence);
    if (verbose || alike.size() < kMany || sentence.empty()) {
        notes.push_back(stateNote(source));
    } else if (alike.front() == &source) {
        notes.push_back(fmt::format(
            "{}, the first {}: {}", counted(alike.size(), "file"), source.path, sentence));
    }
}

void addSourceNotes(
    std::vector<std::string>& notes, const SourceInfo& source, const Sayings& sayings, bool verbose)
{
    if (isBad(source))
        addStateNote(notes, source, sayings, verbose);
    else if (verbose && source.state == SourceState::NotRecognised)
        notes.push_back(stateNote(source));
    if (source.skipped.empty())
        return;
    if (!verbose) {
        notes.push_back(skippedNote(source));
        return;
    }
    for (const SkippedPart& part : source.skipped)
        notes.push_back(
            fmt::format("{} at {}: {} ({})", source.path, placeOf(part), part.reason, part.code));
}

std::vector<std::string> notesOf(const Dataset& dataset, bool verbose)
{
    std::vector<std::string> notes;
    std::vector<const SourceInfo*> unknown;
    const Sayings sayings = sayingsOf(dataset);
    for (const SourceInfo& source : dataset.sources) {
        addSourceNotes(notes, source, sayings, verbose);
        if (source.state == SourceState::NotRecognised && !verbose)
            unknown.push_back(&source);
    }
    if (!unknown.empty())
        notes.push_back(unknownFilesNote(unknown));
    for (const Diagnostic& diagnostic : dataset.diagnostics) {
        // What a source says of itself was said above.
        const bool ofSource = std::any_of(
            dataset.sources.begin(), dataset.sources.end(), [&](const SourceInfo& source) {
                return source.state != SourceState::Read && source.path == diagnostic.where.path;
            });
        if (!ofSource && (verbose || diagnostic.severity != Severity::Info))
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
