// SPDX-License-Identifier: GPL-3.0-or-later
// assess(): judges every run of a data set.
//
// Pure; cost is that of judge() for each run; cancel within 100 ms; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/detect/assessment.h"
#include "core/detect/settings.h"

#include <memory>

namespace firstbad::core {

[[nodiscard]] Result<Assessment> assess(
    std::shared_ptr<const Dataset> dataset, const Settings& settings, JobContext& job);

}  // namespace firstbad::core
