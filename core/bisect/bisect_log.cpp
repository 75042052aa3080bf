// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/bisect_log.h"

#include "core/base/json_members.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/protocol/replay_codec.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::string_view kStart = "start";
constexpr std::string_view kReset = "reset";

std::string scopeJson(const BisectScope& scope)
{
    JsonWriter json;
    json.beginObject();
    json.member("capsule", scope.capsule);
    json.member("family", scope.family);
    json.member("blocks", scope.blocks);
    json.member("lane", scope.lane);
    json.member("precision", scope.precision);
    json.member("when", scope.when);
    json.member("baseline", scope.baseline);
    json.member("micro_step", scope.microStep);
    json.endObject();
    return json.take();
}

std::optional<BisectScope> parseScope(std::string_view text)
{
    constexpr std::int64_t kMostBlocks = 100'000;
    const auto document = parseJson(text);
    if (!document)
        return std::nullopt;
    std::string problem;
    const JsonMembers members(*document, {}, problem);
    BisectScope scope{members.text("capsule"), members.text("family"),
        members.integer("blocks", -1), members.text("lane"), members.text("precision"),
        members.text("when"), members.text("baseline"), members.integer("micro_step", 0)};
    const bool fits = problem.empty() && scope.blocks >= 0 && scope.blocks <= kMostBlocks
        && (scope.lane == "forward" || scope.lane == "backward");
    return fits ? std::optional(std::move(scope)) : std::nullopt;
}

std::string evidenceJson(const ProbeEvidence& evidence)
{
    JsonWriter json;
    json.beginObject();
    json.member("text", evidence.text);
    json.key("place");
    writePlace(json, evidence.place);
    json.endObject();
    return json.take();
}

std::optional<ReplayPlace> placeOf(const BisectEntry& row)
{
    const auto document = parseJson(row.evidence);
    const JsonValue* place = document ? document->find("place") : nullptr;
    return place != nullptr ? parsePlace(*place) : std::nullopt;
}

BisectEntry row(const std::vector<BisectEntry>& rows, std::string probe, std::string_view verdict,
    std::string_view by, std::string evidence)
{
    BisectEntry entry;
    entry.bisect = kBisectName;
    entry.n = rows.empty() ? 1 : rows.back().n + 1;
    entry.probe = std::move(probe);
    entry.verdict = verdict;
    entry.by = by;
    entry.evidence = std::move(evidence);
    return entry;
}

tl::unexpected<Error> malformed(std::string message, std::optional<Where> where = {})
{
    return fail(ErrorCode::Malformed, std::move(message),
        "firstbad bisect start CAPSULE begins a new search.", std::move(where));
}

/// The part of a line up to the next blank.
std::string_view takeWord(std::string_view& line)
{
    line = trimmed(line);
    const auto end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line = trimmed(line.substr(end));
    return word;
}

std::optional<BisectEntry> parseLine(std::string_view line, const std::vector<BisectEntry>& rows)
{
    const std::string_view word = takeWord(line);
    if (word == kStart) {
        const auto scope = parseScope(line);
        return scope ? std::optional(startRow(*scope, rows)) : std::nullopt;
    }
    if (word == kReset)
        return resetRow(rows);
    const auto verdict = probeVerdictFrom(word);
    const std::string probe(takeWord(line));
    const std::string_view by = takeWord(line);
    const bool byKnown = by == "program" || by == "person";
    if (!verdict || probe.empty() || !byKnown)
        return std::nullopt;
    return row(rows, probe, toString(*verdict), by,
        std::string(line.starts_with("# ") ? line.substr(2) : std::string_view()));
}

}  // namespace

Result<std::optional<OpenBisect>> OpenBisect::from(const std::vector<BisectEntry>& rows)
{
    std::optional<OpenBisect> open;
    for (const auto& entry : rows) {
        if (entry.verdict == kReset) {
            open.reset();
            continue;
        }
        if (entry.verdict == kStart) {
            const auto scope = parseScope(entry.evidence);
            if (!scope)
                return malformed(fmt::format(
                    "Row {} of the bisect log does not say what is searched.", entry.n));
            open = OpenBisect(*scope);
        }
        if (!open)
            return malformed(
                fmt::format("Row {} of the bisect log stands before any start.", entry.n));
        open->m_rows.push_back(entry);
        const auto verdict = probeVerdictFrom(entry.verdict);
        if (verdict && !open->m_search.knows(entry.probe))
            return malformed(
                fmt::format("Row {} of the bisect log names {}, which the model does not have.",
                    entry.n, entry.probe));
        if (verdict)
            open->m_search.mark(entry.probe, *verdict);
    }
    return open;
}

std::optional<ReplayPlace> OpenBisect::firstBad() const
{
    const auto found = m_search.place();
    if (!found)
        return std::nullopt;
    for (auto entry = m_rows.rbegin(); entry != m_rows.rend(); ++entry) {
        auto place = placeOf(*entry);
        if (place && place->locus == found->locus && entry->verdict == "bad")
            return place;
    }
    ReplayPlace place;
    place.lane = m_search.scope().lane;
    place.block = found->block;
    place.op = found->op;
    place.locus = found->locus;
    place.microStep = m_search.scope().microStep;
    return place;
}

BisectEntry startRow(const BisectScope& scope, const std::vector<BisectEntry>& rows)
{
    return row(rows, scope.capsule, kStart, "person", scopeJson(scope));
}

BisectEntry verdictRow(const std::string& probe, ProbeVerdict verdict, std::string_view by,
    const ProbeEvidence& evidence, const std::vector<BisectEntry>& rows)
{
    return row(rows, probe, toString(verdict), by, evidenceJson(evidence));
}

BisectEntry resetRow(const std::vector<BisectEntry>& rows)
{
    return row(rows, {}, kReset, "person", {});
}

std::string evidenceText(const BisectEntry& entry)
{
    if (entry.verdict == kStart || entry.verdict == kReset)
        return {};
    const auto document = parseJson(entry.evidence);
    const JsonValue* text = document ? document->find("text") : nullptr;
    return text != nullptr ? std::string(text->asText()) : entry.evidence;
}

std::string bisectLogText(const std::vector<BisectEntry>& rows)
{
    std::string text;
    for (const auto& entry : rows) {
        if (entry.verdict == kReset)
            text += "reset\n";
        else if (entry.verdict == kStart)
            text += fmt::format("start {}\n", entry.evidence);
        else
            text += fmt::format(
                "{} {} {} # {}\n", entry.verdict, entry.probe, entry.by, entry.evidence);
    }
    return text;
}

Result<std::vector<BisectEntry>> parseBisectLog(std::string_view text, const std::string& shownPath)
{
    std::vector<BisectEntry> rows;
    for (std::uint64_t number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.starts_with('#'))
            continue;
        auto entry = parseLine(line, rows);
        if (!entry)
            return malformed(fmt::format("{}:{} is no line of a bisect log.", shownPath, number),
                Where{shownPath, number, {}});
        rows.push_back(std::move(*entry));
    }
    return rows;
}

}  // namespace firstbad::core
