// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/zero_loss_rule.h"

#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kLeastZeros = 10;
constexpr double kShare = 0.8;

struct Counts {
    std::size_t zeros = 0;
    std::size_t alive = 0;  ///< zeros beside a gradient that is finite and not 0
    std::size_t dead = 0;  ///< zeros beside a gradient that is 0 or not finite
    std::size_t first = 0;
};

Counts countZeros(const Trace& loss, const Trace& norm)
{
    Counts counts;
    for (std::size_t i = 0; i < loss.size(); ++i) {
        if (loss.value(i) != 0.0)
            continue;
        if (counts.zeros++ == 0)
            counts.first = i;
        const std::size_t at = norm.lowerBound(loss.step(i));
        if (at >= norm.size() || norm.step(at) != loss.step(i))
            continue;
        const bool alive = isFinite(norm.value(at)) && norm.value(at) > 0.0;
        ++(alive ? counts.alive : counts.dead);
    }
    return counts;
}

}  // namespace

std::vector<Finding> evaluateZeroLoss(
    const RunView& run, const Settings& /*settings*/, JobContext& job)
{
    std::vector<Finding> findings;
    for (const AttemptView& attempt : run.attempts) {
        if (job.cancelled())
            return {};
        for (const Trace& loss : attempt.losses) {
            const Trace* norm = AttemptView::ofRank(attempt.norms, loss.rank());
            if (!norm)
                continue;
            const Counts counts = countZeros(loss, *norm);
            const bool many = counts.zeros >= kLeastZeros
                && static_cast<double>(counts.zeros) >= kShare * static_cast<double>(loss.size());
            if (!many || counts.dead > 0
                || static_cast<double>(counts.alive) < kShare * static_cast<double>(counts.zeros))
                continue;
            Finding finding = makeFinding("zero-loss", IncidentKind::None, attempt,
                loss.step(counts.first),
                fmt::format("{} is exactly 0 in {} values and the gradient lives: a loss that is 0 "
                            "by design",
                    loss.series().name, counts.zeros));
            finding.confidence = 0.8;
            finding.endStep = loss.steps().back();
            finding.rank = loss.rank();
            finding.evidence.push_back(loss.evidence(counts.first, "first loss of exactly 0"));
            finding.evidence.push_back(norm->evidence(norm->lowerBound(loss.step(counts.first)),
                fmt::format("{} is finite and above 0 in {} of these steps", norm->series().name,
                    counts.alive)));
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

}  // namespace firstbad::core
