// SPDX-License-Identifier: GPL-3.0-or-later
// How many terminal columns a text takes, and cutting and wrapping by columns.
//
// Pure functions over UTF-8, linear in the text; wide East Asian letters take two columns,
// combining marks none. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

[[nodiscard]] int displayWidth(std::string_view text) noexcept;

/// At most `columns` wide; what was cut off is shown by `ellipsis` at the end.
[[nodiscard]] std::string cutToWidth(
    std::string_view text, int columns, std::string_view ellipsis = "…");

/// At most `columns` wide by cutting the beginning: the end of a path says more.
[[nodiscard]] std::string cutFrontToWidth(
    std::string_view text, int columns, std::string_view ellipsis = "…");

/// Lines of at most `columns`, broken at blanks, or between letters where there is no blank (also
/// between wide letters). Never empty.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, int columns);

}  // namespace firstbad::core
