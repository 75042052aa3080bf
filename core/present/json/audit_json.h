// SPDX-License-Identifier: GPL-3.0-or-later
// The audit of updates as JSON (contracts.md 2). Pure, any thread.
#pragma once

#include "core/detect/assessment.h"

#include <string>

namespace firstbad::core {

/// The audit of the run with the worst statement at the top level; all runs below "runs".
[[nodiscard]] std::string auditJson(const Assessment& assessment);

/// Whether a statement of severity `error` is among them: exit status 3.
[[nodiscard]] bool holdsErrorStatement(const Assessment& assessment) noexcept;

}  // namespace firstbad::core
