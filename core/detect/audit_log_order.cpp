// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/compare.h"
#include "core/base/text.h"
#include "core/base/value_kind.h"
#include "core/detect/audit_statements.h"
#include "core/detect/finding_text.h"
#include "core/detect/rolling_level.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostTold = 5;  // of a code in one attempt; the rest is counted
constexpr double kClockSlackS = 1.0;  // lines of several threads are not quite in order
constexpr double kLongPauseS = 3600.0;
constexpr double kLongPauseFactor = 50.0;  // of the usual time of a step
constexpr std::int64_t kGapFactor = 3;  // of the usual distance of two records
constexpr std::size_t kLeastPoints = 8;

/// The trace that the log writes at every record: a loss if there is one.
const Trace* clockOf(const AttemptView& attempt)
{
    const Trace* clock = nullptr;
    for (const auto* traces : {&attempt.losses, &attempt.norms, &attempt.rates}) {
        for (const Trace& trace : *traces) {
            if (!clock || trace.size() > clock->size())
                clock = &trace;
        }
        if (clock && clock->size() >= kLeastPoints)
            return clock;
    }
    return clock && clock->size() >= kLeastPoints ? clock : nullptr;
}

struct Told {
    std::string text;
    std::int64_t step = 0;
};

void tell(Audit& audit, const char* code, Severity severity, const std::vector<Told>& all)
{
    for (std::size_t i = 0; i < std::min(all.size(), kMostTold); ++i)
        addStatement(audit, code, severity, all[i].text, {all[i].step});
    if (all.size() <= kMostTold)
        return;
    std::vector<std::int64_t> steps;
    for (std::size_t i = kMostTold; i < all.size(); ++i)
        steps.push_back(all[i].step);
    const std::string text = fmt::format("{} more of this kind", steps.size());
    addStatement(audit, code, severity, text, std::move(steps));
}

/// Median time between two records that have one; 0 when none has.
double usualPause(const Column& column)
{
    std::vector<double> pauses;
    for (std::size_t i = 1; i < column.size(); ++i) {
        const double pause = column.timeAt(i) - column.timeAt(i - 1);
        if (isFinite(pause) && pause >= 0.0)
            pauses.push_back(pause);
    }
    return pauses.empty() ? 0.0 : levelOf(pauses).median;
}

std::string shownSeconds(double seconds)
{
    return seconds >= 3600.0 ? fmt::format("{} h", shortNumber(seconds / 3600.0, 3))
                             : fmt::format("{} s", shortNumber(seconds, 3));
}

void stateClock(Audit& audit, const Column& column)
{
    const double usual = usualPause(column);
    std::vector<Told> back;
    std::vector<Told> ahead;
    for (std::size_t i = 1; i < column.size(); ++i) {
        const double pause = column.timeAt(i) - column.timeAt(i - 1);
        if (!isFinite(pause))
            continue;
        const std::int64_t step = column.steps[i];
        if (pause < -kClockSlackS)
            back.push_back({fmt::format("the wall clock goes back by {} at step {}",
                                shownSeconds(-pause), step),
                step});
        else if (pause > std::max(kLongPauseS, kLongPauseFactor * usual))
            ahead.push_back({fmt::format("{} pass before step {} where {} are usual: the training "
                                         "stood still, or the clock was set",
                                 shownSeconds(pause), step, shownSeconds(usual)),
                step});
    }
    tell(audit, "clock-jump", Severity::Warning, back);
    tell(audit, "clock-jump", Severity::Info, ahead);
}

void stateSteps(Audit& audit, const AttemptView& attempt, const Trace& clock)
{
    // Micro-steps share a step on purpose.
    const bool microSteps = attempt.other("micro_step") != nullptr;
    std::vector<Told> gaps;
    std::vector<Told> same;
    std::vector<Told> contradicting;
    for (std::size_t i = 1; i < clock.size(); ++i) {
        const std::int64_t step = clock.step(i);
        const std::int64_t distance = step - clock.step(i - 1);
        if (distance > kGapFactor * clock.interval())
            gaps.push_back({fmt::format("no record between steps {} and {}, {} apart are usual",
                                clock.step(i - 1), step, clock.interval()),
                step});
        if (distance != 0 || microSteps)
            continue;
        const double before = clock.value(i - 1);
        const double now = clock.value(i);
        const bool equal
            = before == now || (!isFinite(before) && classify(before) == classify(now));
        if (equal)
            same.push_back(
                {fmt::format("step {} stands twice with the same {}", step, clock.series().name),
                    step});
        else
            contradicting.push_back({fmt::format("step {} stands twice: {} {} and {}", step,
                                         clock.series().name, shown(before), shown(now)),
                step});
    }
    tell(audit, "step-gap", Severity::Info, gaps);
    tell(audit, "step-duplicate", Severity::Info, same);
    tell(audit, "step-duplicate", Severity::Warning, contradicting);
}

}  // namespace

void stateLogOrder(Audit& audit, const AttemptView& attempt)
{
    const Trace* clock = clockOf(attempt);
    if (!clock)
        return;
    stateClock(audit, clock->column());
    stateSteps(audit, attempt, *clock);
}

}  // namespace firstbad::core
