// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of `lint` (contracts.md 2).
//
// Pure, any thread.
#pragma once

#include "core/base/json_writer.h"
#include "core/capsule/lint.h"

#include <string>

namespace firstbad::core {

[[nodiscard]] std::string lintJson(const LintReport& report);

/// The array of findings, as `input_findings` of a sweep has it too.
void writeLintFindings(JsonWriter& json, const LintReport& report);

}  // namespace firstbad::core
