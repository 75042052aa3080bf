// SPDX-License-Identifier: GPL-3.0-or-later
// Takes terminal control out of a line: ANSI escapes, backspaces, zero bytes.
//
// Pure function; appends to the caller's buffer. Linear in the line; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace firstbad::core {

/// Appends `line` without escapes to `clean`; carriage returns stay. Returns how many bytes of
/// binary rubbish (zero bytes and control characters that no terminal knows) were left out.
std::size_t appendWithoutControls(std::string_view line, std::string& clean);

}  // namespace firstbad::core
