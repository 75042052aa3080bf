// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/data_rule.h"

#include "core/detect/data_order.h"
#include "core/detect/finding_text.h"

#include <utility>

namespace firstbad::core {

std::vector<Finding> evaluateData(const RunView& run, const Settings& /*settings*/, JobContext& job)
{
    std::vector<Finding> findings;
    if (job.cancelled())
        return findings;
    for (DataSeam& seam : dataSeams(run)) {
        const bool reordered = seam.kind == DataSeamKind::Reordered;
        Finding finding
            = makeFinding("data", reordered ? IncidentKind::BadResume : IncidentKind::DataRepeat,
                run.attempts[seam.attempt], seam.step, std::move(seam.text));
        finding.verdict = IncidentClass::Unknown;
        finding.endStep = seam.lastStep;
        finding.confidence = 0.8;
        finding.evidence = std::move(seam.evidence);
        if (reordered)
            finding.hypotheses.push_back({"state",
                "the place in the data, or the seed of its order, did not come from the "
                "checkpoint"});
        finding.unknown.push_back({"Was the data moved on purpose?",
            "compare the data settings of both launches; a replay across this restart compares "
            "different batches"});
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace firstbad::core
