// SPDX-License-Identifier: GPL-3.0-or-later
// judge(): all rules over one run, merged into incidents with verdicts by contracts.md 3; and its
// audit.
//
// Pure; linear in the points times a small constant; cancel within 100 ms; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/detect/incident.h"
#include "core/detect/settings.h"
#include "core/import/dataset.h"
#include "core/ledger/ledger_report.h"

#include <span>
#include <vector>

namespace firstbad::core {

struct Judgement {
    std::vector<Incident> incidents;  ///< worst first
    Audit audit;
};

/// `sources` (the data set's) lets evidence name file and line; `ledgers` are those of this run.
[[nodiscard]] Result<Judgement> judge(const Run& run, const std::vector<SourceInfo>& sources,
    const Settings& settings, JobContext& job, std::span<const LedgerReport> ledgers = {});

}  // namespace firstbad::core
