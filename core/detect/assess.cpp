// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/assess.h"

#include <set>
#include <utility>

namespace firstbad::core {
namespace {

std::vector<RankLedgerPtr> ledgersOf(const Run& run, const Dataset& dataset)
{
    std::vector<RankLedgerPtr> ledgers;
    if (dataset.ledgers.empty())
        return ledgers;
    std::set<std::uint32_t> sources;
    for (const LogEvent& event : run.events)
        sources.insert(event.source);
    for (const SourceLedger& one : dataset.ledgers) {
        if (sources.contains(one.source))
            ledgers.push_back(one.ledger);
    }
    return ledgers;
}

}  // namespace

Result<Assessment> assess(
    std::shared_ptr<const Dataset> dataset, const Settings& settings, JobContext& job)
{
    Assessment assessment;
    job.setStage("judging", dataset->runs.size());
    for (const RunPtr& run : dataset->runs) {
        const auto ledgers = reportLedgers(ledgersOf(*run, *dataset), job);
        if (!ledgers)
            return tl::unexpected(ledgers.error());
        auto judgement = judge(*run, dataset->sources, settings, job, *ledgers);
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
