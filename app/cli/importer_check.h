// SPDX-License-Identifier: GPL-3.0-or-later
// Self-test of the readers: tiny built-in logs are read, and every value must come back.
//
// Writes into a temporary folder and removes it. One thread.
#pragma once

#include "app/cli/self_test.h"
#include "core/base/job_context.h"

#include <vector>

namespace firstbad::cli {

/// One check for each built-in log.
[[nodiscard]] std::vector<Check> checkImporters(core::JobContext& job);

}  // namespace firstbad::cli
