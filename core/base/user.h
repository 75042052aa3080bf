// SPDX-License-Identifier: GPL-3.0-or-later
// Who runs this program, for rows that say who wrote them. Any thread; asks the system each time.
#pragma once

#include <string>

namespace firstbad::core {

/// The login name; "unknown" when the system has none for this user.
[[nodiscard]] std::string loginName();

}  // namespace firstbad::core
