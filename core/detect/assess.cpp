// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/assess.h"

#include <utility>

namespace firstbad::core {

Result<Assessment> assess(
    std::shared_ptr<const Dataset> dataset, const Settings& settings, JobContext& job)
{
    Assessment assessment;
    job.setStage("judging", dataset->runs.size());
    for (const RunPtr& run : dataset->runs) {
        auto judgement = judge(*run, dataset->sources, settings, job);
        if (!judgement)
            return tl::unexpected(std::move(judgement.error()));
        assessment.runs.push_back({run, std::move(*judgement)});
        job.advance(1);
    }
    numberIncidents(assessment.runs);
    assessment.dataset = std::move(dataset);
    return assessment;
}

}  // namespace firstbad::core
