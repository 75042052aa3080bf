// SPDX-License-Identifier: GPL-3.0-or-later
// The answer to a command line that is wrong in a way the option parser can not see.
//
// Pure; any thread.
#pragma once

#include "app/cli/command.h"

#include <string>

namespace firstbad::cli {

/// Exit status 2, with the sentence as a diagnostic.
[[nodiscard]] Answer usageAnswer(std::string message);

}  // namespace firstbad::cli
