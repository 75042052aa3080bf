// SPDX-License-Identifier: GPL-3.0-or-later
// What the terminal around the program can show: colours, Unicode, width; and writing to it.
//
// Asks the environment and the system; call from the main thread.
#pragma once

#include "core/base/result.h"
#include "core/present/text/text_style.h"

#include <string_view>

namespace firstbad::cli {

/// Colours only if stdout is a terminal, NO_COLOR is not set and `wantColour`.
[[nodiscard]] core::TextStyle detectStyle(bool wantColour);

[[nodiscard]] bool isTerminal(int descriptor) noexcept;

/// Columns of the terminal behind a descriptor; COLUMNS, then 80 where there is none.
[[nodiscard]] int terminalColumns(int descriptor) noexcept;

/// Writes everything. A reader that has closed its end of a pipe has seen enough and is no error.
[[nodiscard]] core::Result<void> writeAll(int descriptor, std::string_view text);

}  // namespace firstbad::cli
