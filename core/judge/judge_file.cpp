// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/judge_file.h"

#include "core/judge/rules.h"
#include "core/scan/scan_verdict.h"

#include <algorithm>

namespace firstbad::core {
Result<void> judgeFile(CheckpointScan& scan, JobContext& job)
{
    std::vector<CheckpointWarning> warnings;
    const bool isSound
        = scan.verdict == ScanVerdict::Finite || scan.verdict == ScanVerdict::Nonfinite;
    for (const FileRule& rule : fileRules()) {
        if (job.cancelled())
            return JobContext::cancelledError();
        if (isSound || rule.id == "forensic" || rule.id == "unreferenced-nonfinite")
            rule.evaluate({scan, job, warnings});
    }
    for (CheckpointWarning& warning : warnings)
        scan.checkpoint.warnings.push_back(std::move(warning));
    return {};
}

Result<std::vector<CheckpointWarning>> compareWithParent(
    const CheckpointScan& child, const CheckpointScan& parent, JobContext& job)
{
    std::vector<CheckpointWarning> warnings;
    for (const ParentRule& rule : parentRules()) {
        if (job.cancelled())
            return JobContext::cancelledError();
        rule.evaluate({child, parent, job, warnings});
    }
    return warnings;
}

bool holdsNonfinite(const CheckpointScan& scan)
{
    return badTensors(scan) > 0
        || std::any_of(scan.badScalars.begin(), scan.badScalars.end(), steersTraining);
}

}  // namespace firstbad::core
