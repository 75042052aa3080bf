// SPDX-License-Identifier: GPL-3.0-or-later
// CsvShape: how a table is written, guessed from its first lines.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct CsvShape {
    char delimiter = ',';
    char decimal = '.';
    bool hasHeader = false;
    std::vector<std::string> names;
    std::vector<std::string> units;  ///< from a second header line; parallel to names, or empty
    std::size_t firstData = 0;  ///< index of the first data line among the lines given
};

/// Whether a line is a remark ("# exported ...", "// ...", "% ...").
[[nodiscard]] bool isRemark(std::string_view line) noexcept;

/// The shape of a table that begins with `lines` (logical rows, line breaks in quotes included);
/// nullopt when no delimiter gives rows of equal length with numbers in them.
[[nodiscard]] std::optional<CsvShape> guessCsvShape(const std::vector<std::string>& lines);

}  // namespace firstbad::core
