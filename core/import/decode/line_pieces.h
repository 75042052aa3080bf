// SPDX-License-Identifier: GPL-3.0-or-later
// LinePieces: one physical line with terminal control as the lines that a person saw.
//
// Carriage returns split it, progress bars are taken out and counted, lines spliced of two ranks
// are parted. Reuses its buffers; one thread. The pieces live until the next split().
#pragma once

#include "core/import/decode/text_source.h"

#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

class LinePieces
{
public:
    explicit LinePieces(bool stripPrefixes)
        : m_stripPrefixes(stripPrefixes)
    { }

    /// Cuts `line` (raw, number, offset and unterminated are set) into pieces; next() gives them.
    void split(const TextLine& line, RecordSink& sink);
    /// Strips a line without terminal control in place; false when it had to be parted and next()
    /// gives its pieces.
    [[nodiscard]] bool clean(TextLine& line, RecordSink& sink);

    [[nodiscard]] bool empty() const noexcept { return m_next == m_pieces.size(); }
    [[nodiscard]] TextLine next() { return m_pieces[m_next++]; }

private:
    void reset() noexcept
    {
        m_pieces.clear();
        m_next = 0;
    }
    void takePiece(std::string_view piece, TextLine line);
    void takeBar(std::string_view drawn, std::string_view postfix, TextLine line);
    void add(std::string_view text, TextLine line);
    void count(std::int64_t done, std::optional<std::int64_t> total);
    bool splice(TextLine& line, RecordSink& sink);

    bool m_stripPrefixes;
    std::string m_clean;
    std::vector<TextLine> m_pieces;
    std::size_t m_next = 0;
    std::optional<std::int64_t> m_barStep;
    std::optional<std::int64_t> m_barTotal;
};

}  // namespace firstbad::core
