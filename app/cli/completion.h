// SPDX-License-Identifier: GPL-3.0-or-later
// Completion scripts for shells, made from the command table. Pure, any thread.
#pragma once

#include <string>
#include <string_view>

namespace firstbad::cli {

/// `shell` is bash, zsh or fish.
[[nodiscard]] std::string completionScript(std::string_view shell);

}  // namespace firstbad::cli
