// SPDX-License-Identifier: GPL-3.0-or-later
// The man page firstbad(1) in roff, made from the command table. Pure, any thread.
#pragma once

#include <string>

namespace firstbad::cli {

[[nodiscard]] std::string manPage();

}  // namespace firstbad::cli
