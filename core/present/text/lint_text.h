// SPDX-License-Identifier: GPL-3.0-or-later
// What `lint` says to people: the findings by code, the first places of each.
//
// Pure, any thread.
#pragma once

#include "core/capsule/lint.h"
#include "core/present/text/text_style.h"

namespace firstbad::core {

/// All places with `verbose`, else the first few of each code.
[[nodiscard]] StyledText lintText(
    const Capsule& capsule, const LintReport& report, const TextStyle& style, bool verbose);

}  // namespace firstbad::core
