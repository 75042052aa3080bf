// SPDX-License-Identifier: GPL-3.0-or-later
// Escaping for HTML, SVG and Markdown: whatever a source holds, it stays text.
//
// Pure, linear in the text, any thread.
#pragma once

#include <string>
#include <string_view>

namespace firstbad::core {

/// Valid UTF-8 for HTML and SVG text and attributes: & < > " ' escaped; control characters and
/// marks that reverse the direction of text shown as "\u{202E}".
[[nodiscard]] std::string htmlEscaped(std::string_view text);

/// The same for Markdown: its marks are escaped, line breaks become blanks.
[[nodiscard]] std::string markdownEscaped(std::string_view text);

}  // namespace firstbad::core
