// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/attempt_tree.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// The load that this launch began with: one before its first point.
std::optional<ResumePoint> statedResume(
    const Launch& launch, const std::vector<SourceData>& sources)
{
    std::optional<ResumePoint> resume;
    for (const Segment& segment : launch.segments) {
        const auto& events = sources[segment.source].events;
        for (std::size_t i = segment.eventsFrom; i < segment.eventsTo; ++i) {
            const LogEvent& event = events[i];
            const bool fits = event.kind == EventKind::Load && event.step
                && (!launch.minStep || *event.step <= *launch.minStep);
            if (fits)
                resume = ResumePoint{*event.step, event.path};
        }
    }
    return resume;
}

AttemptEnd endOf(const Launch& launch, const std::vector<SourceData>& sources)
{
    AttemptEnd end = AttemptEnd::Unknown;
    for (const Segment& segment : launch.segments) {
        const auto& events = sources[segment.source].events;
        for (std::size_t i = segment.eventsFrom; i < segment.eventsTo; ++i) {
            switch (events[i].kind) {
            case EventKind::Exception:
            case EventKind::Aborted:
                end = AttemptEnd::Exception;
                break;
            case EventKind::Signal:
                end = AttemptEnd::Signal;
                break;
            case EventKind::Timeout:
                end = AttemptEnd::Timeout;
                break;
            case EventKind::Finished:
                end = AttemptEnd::Finished;
                break;
            default:
                break;
            }
        }
    }
    return end;
}

/// The newest earlier attempt that reached `step`.
std::optional<std::size_t> parentOf(
    const std::vector<Attempt>& attempts, std::size_t before, std::int64_t step)
{
    for (std::size_t i = before; i-- > 0;) {
        const Attempt& attempt = attempts[i];
        if (attempt.firstStep && *attempt.firstStep <= step && *attempt.lastStep >= step)
            return i;
    }
    return std::nullopt;
}

std::int64_t stepBefore(const Launch& launch, const std::vector<SourceData>& sources)
{
    // The distance of the first two points of the longest column: the log interval at that place.
    std::int64_t interval = 1;
    std::size_t longest = 0;
    for (const Segment& segment : launch.segments) {
        for (std::size_t i = 0; i < segment.pointsFrom.size(); ++i) {
            const std::size_t count = segment.pointsTo[i] - segment.pointsFrom[i];
            if (count <= longest || count < 2)
                continue;
            longest = count;
            const ColumnBuilder& points = sources[segment.source].columns[i].points;
            const std::size_t from = segment.pointsFrom[i];
            interval = std::max<std::int64_t>(points.stepAt(from + 1) - points.stepAt(from), 1);
        }
    }
    return *launch.minStep - interval;
}

void linkToParent(std::vector<Attempt>& attempts, std::size_t index, const Launch& launch,
    const std::vector<SourceData>& sources)
{
    Attempt& attempt = attempts[index];
    attempt.resumedFrom = statedResume(launch, sources);
    if (index == 0 || launch.concurrent)
        return;
    if (!attempt.resumedFrom && launch.minStep) {
        const std::int64_t before = stepBefore(launch, sources);
        if (parentOf(attempts, index, before))
            attempt.resumedFrom = ResumePoint{before, {}};
    }
    if (attempt.resumedFrom)
        attempt.parent = parentOf(attempts, index, attempt.resumedFrom->step);
    // What earlier attempts did after the resume point was done again. A launch from scratch gives
    // up nothing.
    const std::optional<std::int64_t> again
        = attempt.resumedFrom ? std::optional(attempt.resumedFrom->step + 1) : std::nullopt;
    for (std::size_t i = 0; again && i < index; ++i) {
        const bool repeated = attempts[i].lastStep && *attempts[i].lastStep >= *again;
        if (repeated)
            attempts[i].givenUpFrom = std::min(attempts[i].givenUpFrom.value_or(*again), *again);
    }
}

}  // namespace

std::vector<Attempt> attemptTree(
    const std::vector<Launch>& launches, const std::vector<SourceData>& sources)
{
    std::vector<Attempt> attempts;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const Launch& launch = launches[i];
        Attempt attempt;
        attempt.id.value = launch.attemptId.empty() ? fmt::format("{}", i + 1) : launch.attemptId;
        attempt.firstStep = launch.minStep;
        attempt.lastStep = launch.maxStep;
        attempt.started = launch.started;
        attempt.ended = launch.ended;
        attempt.endedHow = endOf(launch, sources);
        attempt.why = i == 0 ? std::string() : launch.why;
        attempt.isConcurrent = launch.concurrent;
        attempts.push_back(std::move(attempt));
        linkToParent(attempts, i, launch, sources);
    }
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        const auto taken = [&](const std::string& id) {
            return std::any_of(attempts.begin(), attempts.begin() + static_cast<std::ptrdiff_t>(i),
                [&](const Attempt& other) { return other.id.value == id; });
        };
        const std::string stem = attempts[i].id.value;
        for (int n = 2; taken(attempts[i].id.value); ++n)
            attempts[i].id.value = fmt::format("{}.{}", stem, n);
    }
    return attempts;
}

}  // namespace firstbad::core
