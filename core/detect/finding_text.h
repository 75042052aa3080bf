// SPDX-License-Identifier: GPL-3.0-or-later
// Small builders that all rules share. Pure; any thread.
#pragma once

#include "core/detect/run_view.h"

#include <string>
#include <string_view>

namespace firstbad::core {

/// A finding with the class that its kind has by default.
[[nodiscard]] Finding makeFinding(std::string_view rule, IncidentKind kind,
    const AttemptView& attempt, std::int64_t onset, std::string title);

/// "NaN", "+Inf", "2.31": a value in a sentence.
[[nodiscard]] std::string shown(double value);

}  // namespace firstbad::core
