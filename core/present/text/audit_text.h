// SPDX-License-Identifier: GPL-3.0-or-later
// The audit of updates as text: clocks, skipped updates, scale policy, schedule, masked values.
//
// Pure, any thread.
#pragma once

#include "core/detect/assessment.h"
#include "core/present/text/text_style.h"

namespace firstbad::core {

[[nodiscard]] StyledText auditText(
    const Assessment& assessment, const TextStyle& style, bool verbose);

}  // namespace firstbad::core
