// SPDX-License-Identifier: GPL-3.0-or-later
// Self-test of a built program: does it still tell NaN and infinities from numbers?
//
// A compiler flag that assumes NaN away would break exactly this. Pure, any thread.
#pragma once

#include <string>
#include <vector>

namespace firstbad::cli {

struct Check {
    std::string name;
    bool passed = false;
    std::string found;  ///< what was seen; for failures also what was expected
};

[[nodiscard]] std::vector<Check> runSelfTest();

}  // namespace firstbad::cli
