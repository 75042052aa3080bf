// SPDX-License-Identifier: GPL-3.0-or-later
// Cell: what one field of a table says: a number, nothing, or words.
//
// Pure; any thread. NaN is a number here; an empty cell, None or N/A is missing, which is no NaN.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace firstbad::core {

class RecordSink;

enum class CellKind : std::uint8_t { Missing, Number, Text };

struct Cell {
    CellKind kind = CellKind::Missing;
    bool overflowed = false;
    double value = 0.0;
    std::string_view text;  ///< as it stands in the source
};

/// `text` without the UTF-8 byte order mark that some programs put in front.
[[nodiscard]] std::string_view withoutByteOrderMark(std::string_view text) noexcept;

/// Reads a field whose numbers use `decimal` ('.' or ',').
[[nodiscard]] Cell readCell(std::string_view text, char decimal = '.') noexcept;

struct CellPlace {
    std::string_view column;
    std::uint64_t line = 0;
    std::uint64_t offset = 0;
};

/// Tells that a field of a numeric column is no number and was left out.
void reportUnreadable(RecordSink& sink, std::string_view text, const CellPlace& place);
/// Notes that a decimal beyond double was counted as infinite.
void noteOverflow(RecordSink& sink, std::string_view text, const CellPlace& place);

}  // namespace firstbad::core
