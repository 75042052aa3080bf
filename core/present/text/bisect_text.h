// SPDX-License-Identifier: GPL-3.0-or-later
// What the stepped bisect says: where it stands, its log, and what to do next.
//
// Pure, any thread.
#pragma once

#include "core/bisect/bisect_log.h"
#include "core/present/text/text_style.h"

namespace firstbad::core {

[[nodiscard]] StyledText bisectText(const OpenBisect& bisect, const TextStyle& style);

}  // namespace firstbad::core
