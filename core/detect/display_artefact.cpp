// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/display_artefact.h"

#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kLeastPoints = 3;
constexpr double kCovers = 0.8;  // of the steps of the silent column

std::size_t finiteValues(const Trace& trace)
{
    return static_cast<std::size_t>(
        std::count_if(trace.values().begin(), trace.values().end(), isFinite));
}

/// Finite from end to end, over nearly the same steps: positive evidence that the training is well.
bool clears(const Trace& shows, const Trace& silent)
{
    if (shows.size() < kLeastPoints || finiteValues(shows) != shows.size())
        return false;
    const auto span = static_cast<double>(silent.steps().back() - silent.steps().front());
    const auto from = std::max(shows.steps().front(), silent.steps().front());
    const auto to = std::min(shows.steps().back(), silent.steps().back());
    return static_cast<double>(to - from) >= kCovers * span;
}

}  // namespace

const Trace* lossThatShows(const AttemptView& attempt, const Trace& loss)
{
    if (loss.size() < kLeastPoints || finiteValues(loss) > 0)
        return nullptr;
    const auto found
        = std::find_if(attempt.losses.begin(), attempt.losses.end(), [&](const Trace& other) {
              return &other != &loss && other.size() > 0 && isFinite(other.value(0));
          });
    return found != attempt.losses.end() ? &*found : nullptr;
}

Finding silentColumn(const AttemptView& attempt, const Trace& silent, const Trace& shows)
{
    Finding finding
        = makeFinding("nonfinite", IncidentKind::DisplayArtefact, attempt, silent.step(0),
            fmt::format("two sources disagree: {} is never a number, {} is: the one with numbers "
                        "counts",
                silent.series().name, shows.series().name));
    const bool cleared = clears(shows, silent);
    finding.verdict = cleared ? IncidentClass::Benign : IncidentClass::Unknown;
    finding.confidence = cleared ? 0.85 : 0.6;
    finding.evidence.push_back(silent.evidence(
        0, fmt::format("{} is not finite in all {} values", silent.series().name, silent.size())));
    finding.evidence.push_back(shows.evidence(0,
        fmt::format("{} is finite in {} of {} values, from {} on", shows.series().name,
            finiteValues(shows), shows.size(), shown(shows.value(0)))));
    if (!cleared)
        finding.unknown.push_back({"Is the loss well where only the silent column speaks?",
            "log the loss of these steps in the other source too"});
    return finding;
}

void addPoisonedMeans(const AttemptView& attempt, std::vector<Finding>& findings)
{
    for (const Trace& mean : attempt.runningMeans) {
        const auto bad = std::find_if_not(mean.values().begin(), mean.values().end(), isFinite);
        if (bad == mean.values().end())
            continue;
        const auto at = static_cast<std::size_t>(bad - mean.values().begin());
        findings.push_back(
            makeFinding("nonfinite", IncidentKind::DisplayArtefact, attempt, mean.step(at),
                fmt::format("the running mean {} takes in one non-finite value and keeps it",
                    mean.series().name)));
        findings.back().evidence.push_back(mean.evidence(at, "first such value of this column"));
    }
}

}  // namespace firstbad::core
