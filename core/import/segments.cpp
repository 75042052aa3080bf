// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/segments.h"

#include "core/base/compare.h"

#include <algorithm>

namespace firstbad::core {
namespace {

// More steps back than this, and more than one in twenty records: the source is unsorted.
constexpr std::size_t kFewBreaks = 8;
constexpr std::uint64_t kUnsortedShare = 20;
constexpr std::size_t kLookBack = 64;
constexpr double kRestartPauseS = 300.0;

std::size_t pointsBefore(const Break& at, std::size_t column) noexcept
{
    return column < at.points.size() ? at.points[column] : 0;
}

/// The column that tells most about the steps around a break: the one with most points before it.
std::optional<std::size_t> leadingColumn(const SourceData& data, const Break& at)
{
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < data.columns.size(); ++i) {
        const bool hasBoth
            = pointsBefore(at, i) > 0 && pointsBefore(at, i) < data.columns[i].points.size();
        if (hasBoth && (!best || pointsBefore(at, i) > pointsBefore(at, *best)))
            best = i;
    }
    return best;
}

/// Steps that go back are a restart when steps that were there before are done again: a single
/// record out of order, or a jump over a hole, is none. A long pause before them speaks for a
/// restart by itself.
bool repeatsSteps(const SourceData& data, const Break& at)
{
    const auto column = leadingColumn(data, at);
    if (!column)
        return true;
    const ColumnBuilder& points = data.columns[*column].points;
    const std::size_t first = pointsBefore(at, *column);
    const double pause = points.timeAt(first) - points.timeAt(first - 1);
    if (exceeds(pause, kRestartPauseS))
        return true;
    const bool oneStray
        = first + 1 < points.size() && points.stepAt(first + 1) > points.stepAt(first - 1);
    if (oneStray)
        return false;
    std::size_t doneBefore = 0;
    for (std::size_t i = first; i-- > 0 && first - i <= kLookBack;)
        doneBefore += points.stepAt(i) >= points.stepAt(first) ? 1U : 0U;
    return doneBefore >= 2;
}

std::vector<Break> acceptedBreaks(const SourceData& data)
{
    const auto uncertain = static_cast<std::size_t>(std::count_if(
        data.breaks.begin(), data.breaks.end(), [](const Break& one) { return !one.certain; }));
    const bool unsorted = uncertain > kFewBreaks && uncertain * kUnsortedShare > data.info.records;
    std::vector<Break> accepted;
    for (const Break& one : data.breaks) {
        if (one.certain || (!unsorted && repeatsSteps(data, one)))
            accepted.push_back(one);
    }
    return accepted;
}

void setRanges(Segment& segment, const SourceData& data)
{
    std::size_t longest = 0;
    for (std::size_t i = 0; i < data.columns.size(); ++i) {
        const ColumnBuilder& points = data.columns[i].points;
        const std::size_t from = segment.pointsFrom[i];
        const std::size_t to = segment.pointsTo[i];
        if (to - from > longest) {
            longest = to - from;
            segment.firstStep = points.stepAt(from);
        }
        for (std::size_t at = from; at < to; ++at) {
            const std::int64_t step = points.stepAt(at);
            segment.minStep = std::min(segment.minStep.value_or(step), step);
            segment.maxStep = std::max(segment.maxStep.value_or(step), step);
            const double time = points.timeAt(at);
            if (!isFinite(time))
                continue;
            segment.started = std::min(segment.started.value_or(time), time);
            segment.ended = std::max(segment.ended.value_or(time), time);
        }
    }
    for (std::size_t i = segment.eventsFrom; i < segment.eventsTo; ++i) {
        const auto& time = data.events[i].time;
        if (!time)
            continue;
        segment.started = std::min(segment.started.value_or(*time), *time);
        segment.ended = std::max(segment.ended.value_or(*time), *time);
    }
}

/// What an attempt without a point needs to be kept: it was launched, and it ended or was followed.
bool tellsOfLaunch(const SourceData& data, const Segment& segment)
{
    return std::any_of(data.events.begin() + static_cast<std::ptrdiff_t>(segment.eventsFrom),
        data.events.begin() + static_cast<std::ptrdiff_t>(segment.eventsTo),
        [](const LogEvent& event) {
            return event.kind == EventKind::Exception || event.kind == EventKind::Signal
                || event.kind == EventKind::Timeout || event.kind == EventKind::Aborted;
        });
}

Segment between(const SourceData& data, std::size_t source, const Break* from, const Break* to)
{
    Segment segment;
    segment.source = source;
    if (from) {
        segment.why = from->why;
        segment.certain = from->certain;
        segment.eventsFrom = from->events;
    }
    segment.eventsTo = to ? to->events : data.events.size();
    for (std::size_t i = 0; i < data.columns.size(); ++i) {
        const ColumnBuilder& points = data.columns[i].points;
        segment.pointsFrom.push_back(from ? pointsBefore(*from, i) : 0);
        segment.pointsTo.push_back(to ? pointsBefore(*to, i) : points.size());
        segment.missingFrom.push_back(from && i < from->missing.size() ? from->missing[i] : 0);
        segment.missingTo.push_back(
            to ? (i < to->missing.size() ? to->missing[i] : 0) : points.missingSize());
    }
    setRanges(segment, data);
    return segment;
}

/// Joins `next` onto `segment`, which has no points of its own.
void absorb(Segment& segment, Segment next)
{
    next.eventsFrom = segment.eventsFrom;
    next.missingFrom = segment.missingFrom;
    next.certain = next.certain || segment.certain;
    if (!segment.why.empty())
        next.why = segment.why;
    if (segment.started)
        next.started = std::min(next.started.value_or(*segment.started), *segment.started);
    segment = std::move(next);
}

}  // namespace

std::vector<Segment> segmentsOf(const SourceData& data, std::size_t sourceIndex)
{
    const std::vector<Break> breaks = acceptedBreaks(data);
    std::vector<Segment> segments;
    for (std::size_t i = 0; i <= breaks.size(); ++i) {
        const Break* from = i > 0 ? &breaks[i - 1] : nullptr;
        const Break* to = i < breaks.size() ? &breaks[i] : nullptr;
        Segment next = between(data, sourceIndex, from, to);
        const bool joins = !segments.empty() && !segments.back().hasPoints()
            && !tellsOfLaunch(data, segments.back());
        if (joins)
            absorb(segments.back(), std::move(next));
        else
            segments.push_back(std::move(next));
    }
    // What follows the last points without points of its own (a closing banner) belongs to them.
    if (segments.size() > 1 && !segments.back().hasPoints()
        && !tellsOfLaunch(data, segments.back())) {
        segments[segments.size() - 2].eventsTo = segments.back().eventsTo;
        segments[segments.size() - 2].missingTo = segments.back().missingTo;
        segments.pop_back();
    }
    return segments;
}

}  // namespace firstbad::core
