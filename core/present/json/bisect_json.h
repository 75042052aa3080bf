// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of the stepped bisect (contracts.md 2).
//
// Pure, any thread.
#pragma once

#include "core/bisect/bisect_log.h"

#include <optional>
#include <string>

namespace firstbad::core {

/// state, interval, next_probe, log, first_bad. A closed search has state "none".
[[nodiscard]] std::string bisectJson(const std::optional<OpenBisect>& bisect);

}  // namespace firstbad::core
