// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/unmeasured.h"

#include "core/base/text.h"
#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

bool isNaN(double value)
{
    return classify(value) == ValueKind::NotANumber;
}

/// Read from clocks, counters and the machine: numbers whatever the model computes.
bool isOfTheMachine(const Trace& trace)
{
    switch (trace.series().quantity) {
    case Quantity::StepTime:
    case Quantity::Throughput:
    case Quantity::Tokens:
    case Quantity::Samples:
    case Quantity::LearningRate:
        return true;
    default:
        break;
    }
    constexpr std::array<std::string_view, 4> kWords{"memory", "mem-", "mem_", "time"};
    return std::any_of(kWords.begin(), kWords.end(),
        [&](std::string_view word) { return containsIgnoringCase(trace.series().name, word); });
}

std::vector<const Trace*> everyTrace(const AttemptView& attempt, std::optional<std::int32_t> rank)
{
    std::vector<const Trace*> traces;
    for (const auto* list : {&attempt.losses, &attempt.norms, &attempt.scales, &attempt.rates,
             &attempt.counters, &attempt.nanCounters, &attempt.updateNorms, &attempt.speeds,
             &attempt.runningMeans, &attempt.others}) {
        for (const Trace& trace : *list) {
            if (!rank || !trace.rank() || trace.rank() == rank)
                traces.push_back(&trace);
        }
    }
    return traces;
}

/// Steps ascend, so each trace is walked once.
class RowReader
{
public:
    RowReader(const AttemptView& attempt, std::optional<std::int32_t> rank)
        : m_traces(everyTrace(attempt, rank))
        , m_next(m_traces.size(), 0)
    { }

    bool isEmptyAt(std::int64_t step)
    {
        bool machine = false;
        bool empty = true;
        for (std::size_t t = 0; t < m_traces.size(); ++t) {
            const Trace& trace = *m_traces[t];
            std::size_t& i = m_next[t];
            while (i < trace.size() && trace.step(i) < step)
                ++i;
            if (i >= trace.size() || trace.step(i) != step)
                continue;
            empty = empty && isNaN(trace.value(i));
            machine = machine || isOfTheMachine(trace);
        }
        return empty && machine;
    }

private:
    std::vector<const Trace*> m_traces;
    std::vector<std::size_t> m_next;
};

}  // namespace

std::vector<UnmeasuredSteps> unmeasuredSteps(const AttemptView& attempt, const Trace& loss)
{
    std::vector<UnmeasuredSteps> stretches;
    RowReader rows(attempt, loss.rank());
    bool open = false;
    for (std::size_t i = 0; i < loss.size(); ++i) {
        const bool empty = isNaN(loss.value(i)) && rows.isEmptyAt(loss.step(i));
        if (empty && open) {
            stretches.back().to = loss.step(i);
            ++stretches.back().points;
        } else if (empty) {
            stretches.push_back({loss.step(i), loss.step(i), 1});
        }
        open = empty;
    }
    return stretches;
}

bool isUnmeasured(const std::vector<UnmeasuredSteps>& stretches, std::int64_t step) noexcept
{
    const auto after = std::upper_bound(stretches.begin(), stretches.end(), step,
        [](std::int64_t wanted, const UnmeasuredSteps& one) { return wanted < one.from; });
    return after != stretches.begin() && step <= std::prev(after)->to;
}

Finding unmeasuredFinding(
    const AttemptView& attempt, const Trace& loss, const UnmeasuredSteps& stretch)
{
    Finding finding = makeFinding("nonfinite", IncidentKind::NonfiniteLoss, attempt, stretch.from,
        fmt::format("steps {} to {} hold no measurement: everything in them is NaN", stretch.from,
            stretch.to));
    finding.verdict = IncidentClass::Unknown;
    finding.confidence = 0.5;
    finding.rank = loss.rank();
    if (stretch.to < attempt.last.value_or(stretch.to)) {
        finding.endStep = stretch.to;
        finding.recovered = true;
    }
    finding.evidence.push_back(loss.evidence(loss.lowerBound(stretch.from),
        fmt::format("{} is NaN in {} row(s) of this stretch", loss.series().name, stretch.points)));
    Evidence machine;
    machine.what = "time, memory or counters are NaN in the same rows: no training does that, the "
                   "rows look like places that were kept free";
    machine.step = stretch.from;
    finding.against.push_back(std::move(machine));
    finding.unknown.push_back({"Did the training run in these steps at all?",
        "look at the log that this table was made from"});
    return finding;
}

}  // namespace firstbad::core
