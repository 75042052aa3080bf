// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/line_pieces.h"

#include "core/base/text.h"
#include "core/import/decode/controls.h"
#include "core/import/decode/prefix.h"
#include "core/import/decode/progress_bar.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Where the line of another rank begins inside `text`; npos when none does.
std::size_t spliceAt(std::string_view text) noexcept
{
    for (std::size_t at = text.find('[', 1); at != std::string_view::npos;
         at = text.find('[', at + 1)) {
        if (startsWithRankPrefix(text.substr(at)))
            return at;
    }
    return std::string_view::npos;
}

void reportRubbish(const TextLine& line, std::size_t bytes, RecordSink& sink)
{
    SkippedPart part;
    part.code = "garbage";
    part.reason = fmt::format("Line {} holds {} bytes that are no text.", line.number, bytes);
    part.offset = line.offset;
    part.length = bytes;
    part.line = line.number;
    sink.addSkipped(std::move(part));
}

}  // namespace

bool LinePieces::splice(TextLine& line, RecordSink& sink)
{
    const std::size_t at = spliceAt(line.text);
    if (at == std::string_view::npos)
        return false;
    SkippedPart part;
    part.code = "spliced-line";
    part.reason = fmt::format("Line {} holds lines of two ranks; it was read as two.", line.number);
    part.offset = line.offset;
    part.line = line.number;
    sink.addSkipped(std::move(part));
    TextLine second = line;
    second.raw = second.text = line.text.substr(at);
    line.text = line.text.substr(0, at);
    line.isSpliced = true;
    m_pieces.push_back(line);
    LinePrefix prefix;
    second.text = firstbad::core::stripPrefixes(second.text, prefix);
    second.rank = prefix.rank;
    if (isFinite(prefix.time))
        second.time = prefix.time;
    if (!splice(second, sink))
        m_pieces.push_back(second);
    return true;
}

bool LinePieces::clean(TextLine& line, RecordSink& sink)
{
    line.barStep = m_barStep;
    line.barTotal = m_barTotal;
    line.text = line.raw;
    if (!m_stripPrefixes)
        return true;
    LinePrefix prefix;
    line.text = firstbad::core::stripPrefixes(line.raw, prefix);
    line.rank = prefix.rank;
    line.time = prefix.time;
    if (!line.rank || spliceAt(line.text) == std::string_view::npos)
        return true;
    reset();
    static_cast<void>(splice(line, sink));
    return false;
}

void LinePieces::count(std::int64_t done, std::optional<std::int64_t> total)
{
    // A shorter bar beside the main one counts evaluation batches or files, not steps.
    if (m_barTotal && total && *total < *m_barTotal)
        return;
    m_barStep = done;
    m_barTotal = total;
}

void LinePieces::add(std::string_view text, TextLine line)
{
    line.raw = text;
    line.text = text;
    if (m_stripPrefixes) {
        LinePrefix prefix;
        line.text = firstbad::core::stripPrefixes(text, prefix);
        line.rank = prefix.rank;
        line.time = prefix.time;
    }
    line.barStep = m_barStep;
    line.barTotal = m_barTotal;
    m_pieces.push_back(line);
}

void LinePieces::takeBar(std::string_view drawn, std::string_view postfix, TextLine line)
{
    if (postfix.empty())
        return;
    line.barOnly = true;
    line.unterminated = false;
    line.raw = drawn;
    line.text = postfix;
    line.barStep = m_barStep;
    line.barTotal = m_barTotal;
    m_pieces.push_back(line);
}

void LinePieces::takePiece(std::string_view piece, TextLine line)
{
    while (const auto bar = findProgressBar(piece)) {
        const std::string_view before = trimmed(piece.substr(0, bar->begin));
        if (!before.empty())
            add(before, line);
        if (!isSideBar(bar->title)) {
            count(bar->done, bar->total);
            if (bar->done > 0 && m_barStep == bar->done)  // at 0 it still shows what was before
                takeBar(piece.substr(0, bar->end), bar->postfix, line);
        }
        piece.remove_prefix(bar->end);
    }
    while (!piece.empty() && isBlank(piece.back()))
        piece.remove_suffix(1);
    if (!piece.empty())
        add(piece, line);
}

void LinePieces::split(const TextLine& line, RecordSink& sink)
{
    reset();
    m_clean.clear();
    const std::size_t rubbish = appendWithoutControls(line.raw, m_clean);
    if (rubbish != 0) {
        reportRubbish(line, rubbish, sink);
        if (rubbish * 2 > line.raw.size())
            return;
    }
    std::string_view rest = m_clean;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\r'), rest.size());
        TextLine own = line;
        own.unterminated = line.unterminated && end == rest.size();
        takePiece(rest.substr(0, end), own);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

}  // namespace firstbad::core
