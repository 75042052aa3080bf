// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/rerun_check.h"

#include "core/base/compare.h"
#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace firstbad::core {
namespace {

constexpr double kPrinted = 1e-6;  // learning rates are printed with few digits

/// NaN when the trace has no finite value there.
double valueAt(const Trace& trace, std::int64_t step)
{
    const std::size_t at = trace.lowerBound(step);
    return at < trace.size() && trace.step(at) == step ? trace.value(at)
                                                       : std::numeric_limits<double>::quiet_NaN();
}

/// Counters of data and fingerprints of samples.
bool tellsOfData(const Trace& trace)
{
    const Series& series = trace.series();
    return series.quantity == Quantity::Samples || series.quantity == Quantity::Tokens
        || series.unit == "fingerprint";
}

/// Compares what both attempts log of the step in these traces: same, different, or not known.
template <class Chosen>
std::optional<bool> sameIn(const std::vector<Trace>& first, const std::vector<Trace>& second,
    std::int64_t step, Chosen chosen)
{
    std::optional<bool> same;
    for (const Trace& one : first) {
        const double a = valueAt(one, step);
        for (const Trace& two : second) {
            const double b = valueAt(two, step);
            const bool comparable = &two.series() == &one.series() && chosen(one);
            if (comparable && isFinite(a) && isFinite(b))
                same = same.value_or(true) && within(a, b, kPrinted * std::abs(a));
        }
    }
    return same;
}

bool hasSameInput(const AttemptView& a, const AttemptView& b, std::int64_t step)
{
    const bool sameRate
        = sameIn(a.rates, b.rates, step, [](const Trace&) { return true; }).value_or(true);
    return sameRate && sameIn(a.others, b.others, step, tellsOfData).value_or(false);
}

}  // namespace

std::optional<PassedRerun> passedLater(const RunView& run, const AttemptView& attempt,
    std::int64_t step, std::optional<std::int32_t> rank)
{
    for (const AttemptView& later : run.attempts) {
        const Trace* loss = AttemptView::ofRank(later.losses, rank);
        if (later.index <= attempt.index || later.attempt->isConcurrent || !loss)
            continue;
        const std::size_t at = loss->lowerBound(step);
        if (at >= loss->size() || loss->step(at) != step)
            continue;
        if (!isFinite(loss->value(at)))
            return std::nullopt;
        return PassedRerun{loss->evidence(at,
                               fmt::format("the same step passed in attempt {} with a loss of {}",
                                   later.attempt->id.value, shown(loss->value(at)))),
            hasSameInput(attempt, later, step)};
    }
    return std::nullopt;
}

void addRerun(const PassedRerun& rerun, bool isShort, Finding& finding)
{
    finding.against.push_back(rerun.evidence);
    if (!rerun.sameInput || !isShort)
        return;
    finding.kind = IncidentKind::Transient;
    finding.verdict = IncidentClass::Unknown;
    finding.confidence = 0.6;
    finding.title += ", and the same step with the same data passed later";
    finding.hypotheses.push_back({"device", "the same input gave another result"});
    finding.hypotheses.push_back({"race", "the same input gave another result"});
}

}  // namespace firstbad::core
