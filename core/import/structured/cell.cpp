// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/cell.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/import/record_sink.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMaxQuoted = 60;
constexpr std::size_t kMaxNotes = 1000;

bool isMissingWord(std::string_view text) noexcept
{
    constexpr std::array<std::string_view, 11> kWords{
        "none", "null", "n/a", "na", "-", "--", "---", "nil", "<na>", "nat", "missing"};
    return text.empty() || std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
        return equalsIgnoringCase(text, word);
    });
}

std::optional<ParsedNumber> parseCommaNumber(std::string_view text) noexcept
{
    std::array<char, 64> plain{};
    if (text.size() > plain.size() || std::count(text.begin(), text.end(), ',') > 1)
        return std::nullopt;
    const bool grouped = text.find(',') != std::string_view::npos;
    std::size_t kept = 0;
    for (const char c : text) {
        if (c == '.' && grouped)
            continue;  // 1.234,5
        plain[kept++] = c == ',' ? '.' : c;
    }
    return parseNumber({plain.data(), kept});
}

std::string quoted(std::string_view text)
{
    return toValidUtf8(text.substr(0, kMaxQuoted));
}

}  // namespace

std::string_view withoutByteOrderMark(std::string_view text) noexcept
{
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    return text.substr(0, kMark.size()) == kMark ? text.substr(kMark.size()) : text;
}

Cell readCell(std::string_view text, char decimal) noexcept
{
    const std::string_view body = trimmed(text);
    Cell cell;
    cell.text = body;
    if (isMissingWord(body))
        return cell;
    const auto number = decimal == ',' ? parseCommaNumber(body) : parseNumber(body);
    if (!number) {
        cell.kind = CellKind::Text;
        return cell;
    }
    cell.kind = CellKind::Number;
    cell.value = number->value;
    cell.overflowed = number->overflowed;
    return cell;
}

void reportUnreadable(RecordSink& sink, std::string_view text, const CellPlace& place)
{
    SkippedPart part;
    part.code = "unreadable-cell";
    part.reason = fmt::format("\"{}\" in column \"{}\" is no number and was left out.",
        quoted(text), quoted(place.column));
    part.line = place.line;
    part.offset = place.offset;
    part.length = text.size();
    sink.addSkipped(std::move(part));
}

void noteOverflow(RecordSink& sink, std::string_view text, const CellPlace& place)
{
    if (sink.data().events.size() >= kMaxNotes)
        return;
    LogEvent event;
    event.kind = EventKind::Note;
    event.step = sink.step();
    event.text = fmt::format("{} in \"{}\" is beyond the range of double: counted as infinite",
        quoted(text), quoted(place.column));
    event.line = place.line;
    event.offset = place.offset;
    sink.addEvent(std::move(event));
}

}  // namespace firstbad::core
