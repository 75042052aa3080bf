// SPDX-License-Identifier: GPL-3.0-or-later
// Golden texts: what a text should be, kept as a file beside the test.
//
// A mismatch writes NAME.actual beside the golden, shows the first line that differs and fails.
// FIRSTBAD_ACCEPT_GOLDEN=1 replaces the goldens instead: read the diff before committing.
#pragma once

#include <string>

namespace firstbad::test {

/// `path` from the source tree's root. Line ends and blanks at line ends do not count.
void checkGolden(const std::string& path, const std::string& text);

}  // namespace firstbad::test
