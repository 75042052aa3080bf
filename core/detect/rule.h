// SPDX-License-Identifier: GPL-3.0-or-later
// Rule: one pure detector and the table of all of them.
//
// Adding one: a file pair <name>_rule.{h,cpp} and one line in rule_table.cpp. evaluate() is pure,
// looks at one run through its RunView, never compares with NaN in its window, and quotes its
// numbers as evidence. Any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/detect/finding.h"
#include "core/detect/run_view.h"
#include "core/detect/settings.h"

#include <span>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct Rule {
    std::string_view id;
    std::string_view text;  ///< one sentence for help and report
    std::vector<Finding> (*evaluate)(const RunView& run, const Settings& settings, JobContext& job)
        = nullptr;
};

[[nodiscard]] std::span<const Rule> ruleTable() noexcept;

}  // namespace firstbad::core
