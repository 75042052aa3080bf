// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/judge.h"

#include "core/detect/audit.h"
#include "core/detect/merge.h"
#include "core/detect/rule.h"

#include <algorithm>
#include <iterator>

namespace firstbad::core {

Result<Judgement> judge(const Run& run, const std::vector<SourceInfo>& sources,
    const Settings& settings, JobContext& job, std::span<const LedgerReport> ledgers)
{
    RunView view(run, settings);
    view.ledgers = ledgers;
    std::vector<Finding> findings;
    for (const Rule& rule : ruleTable()) {
        if (job.cancelled())
            return JobContext::cancelledError();
        auto found = rule.evaluate(view, settings, job);
        std::move(found.begin(), found.end(), std::back_inserter(findings));
    }
    if (job.cancelled())
        return JobContext::cancelledError();
    Judgement judgement;
    judgement.audit = auditRun(view, findings, settings, job);
    judgement.incidents = mergeFindings(view, sources, std::move(findings), settings);
    return judgement;
}

}  // namespace firstbad::core
