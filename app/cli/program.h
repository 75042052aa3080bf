// SPDX-License-Identifier: GPL-3.0-or-later
// runProgram(): the terminal program from its arguments to its exit status.
//
// Main thread. Results go to stdout, messages and progress to stderr (contracts.md 2).
#pragma once

#include <string>
#include <vector>

namespace firstbad::cli {

[[nodiscard]] int runProgram(const std::vector<std::string>& arguments);

}  // namespace firstbad::cli
