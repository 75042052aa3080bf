// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/scale_move_rule.h"

#include "core/base/compare.h"
#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"

#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Policies double or halve; a ratio that is no power of two was set by hand or clamped.
bool isPolicyMove(double before, double after, bool rounded)
{
    if (!(after > 0.0))
        return true;  // ran to zero: another rule says so
    const double power = std::round(std::log2(after / before));
    const double expected = std::ldexp(before, static_cast<int>(power));
    const double tolerance = rounded || expected < 64.0 ? 0.06 : 1e-3;
    return within(after, expected, std::max(tolerance * expected, 0.05));
}

/// More than one doubling in one step.
bool leaps(const Trace& scale, std::size_t i)
{
    return scale.step(i) - scale.step(i - 1) == 1 && scale.value(i) > 3.0 * scale.value(i - 1);
}

}  // namespace

std::vector<Finding> evaluateScaleMoves(
    const RunView& run, const Settings& settings, JobContext& job)
{
    static_cast<void>(settings);
    std::vector<Finding> findings;
    for (const AttemptView& attempt : run.attempts) {
        if (job.cancelled())
            return {};
        for (const Trace& scale : attempt.scales) {
            for (std::size_t i = 1; i < scale.size(); ++i) {
                const double before = scale.value(i - 1);
                const double after = scale.value(i);
                if (!isFinite(before) || !isFinite(after) || !(before > 0.0) || before == after)
                    continue;
                if (isPolicyMove(before, after, run.run->traits.scaleIsRounded) && !leaps(scale, i))
                    continue;
                findings.push_back(
                    makeFinding("scale-move", IncidentKind::ScaleViolation, attempt, scale.step(i),
                        fmt::format("the scale goes from {} to {} in one move", shown(before),
                            shown(after))));
                findings.back().endStep = scale.step(i);
                findings.back().evidence.push_back(
                    scale.evidence(i, "no known policy moves a scale by this factor"));
                findings.back().unknown.push_back({"Who set the scale?",
                    "look for a change of configuration or a loaded scaler state at this step"});
                break;  // one is enough: what follows starts from a scale that was set
            }
        }
    }
    return findings;
}

}  // namespace firstbad::core
