// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/skip_timeline.h"

#include "core/base/text.h"
#include "core/base/value_kind.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Steps that a point stands for: after the point before it, up to its own.
std::int64_t firstStepOf(const Trace& trace, std::size_t i)
{
    if (i > 0)
        return std::min(trace.step(i - 1) + 1, trace.step(i));
    return trace.step(0) - std::min(trace.interval() - 1, std::max<std::int64_t>(0, trace.step(0)));
}

bool isCumulative(const Trace& trace, bool statedByDialect)
{
    if (statedByDialect)
        return true;
    bool beyondItsSteps = false;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        if (!isFinite(trace.value(i)) || (i > 0 && !(trace.value(i) >= trace.value(i - 1))))
            return false;
        const auto width = static_cast<double>(trace.step(i) - firstStepOf(trace, i) + 1);
        beyondItsSteps = beyondItsSteps || trace.value(i) > width;
    }
    return beyondItsSteps;
}

std::vector<SkippedUpdates> fromCounter(const Trace& trace, bool cumulative)
{
    std::vector<SkippedUpdates> skips;
    double last = 0.0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const double value = trace.value(i);
        if (!isFinite(value))
            continue;
        // A resumed attempt may start with the count of the one before it.
        const bool carried = cumulative && i == 0
            && value > static_cast<double>(std::max<std::int64_t>(1, trace.step(0)));
        const double fresh = carried ? 0.0 : cumulative ? value - last : value;
        last = value;
        if (!(fresh >= 1.0))
            continue;
        SkippedUpdates skip;
        skip.from = firstStepOf(trace, i);
        skip.to = trace.step(i);
        skip.count = std::llround(fresh);
        skip.shownAt = skip.fillsItsSteps() ? skip.from : skip.to;
        skip.evidence = trace.evidence(
            i, fmt::format("{} skipped update(s) counted up to step {}", skip.count, skip.to));
        skips.push_back(std::move(skip));
    }
    return skips;
}

bool isOverflow(const LogEvent& event)
{
    return event.kind == EventKind::Overflow || event.kind == EventKind::GradOverflow;
}

/// One event told by several ranks is one event: those of the lowest rank are kept.
std::vector<const LogEvent*> overflowsOfOneRank(std::span<const LogEvent* const> events)
{
    std::optional<std::int32_t> lowest;
    for (const LogEvent* event : events) {
        if (isOverflow(*event) && event->rank)
            lowest = lowest ? std::min(*lowest, *event->rank) : *event->rank;
    }
    std::vector<const LogEvent*> kept;
    for (const LogEvent* event : events) {
        if (isOverflow(*event) && (!event->rank || event->rank == lowest))
            kept.push_back(event);
    }
    return kept;
}

/// Places of the lines of one source within a column.
struct LineRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

LineRange linesOfSource(const Column& column, std::uint32_t source)
{
    LineRange range{0, 0};
    for (std::size_t s = 0; s < column.sources.size(); ++s) {
        if (column.sources[s].source != source)
            continue;
        range.begin = column.sources[s].firstPoint;
        range.end
            = s + 1 < column.sources.size() ? column.sources[s + 1].firstPoint : column.size();
    }
    return range;
}

struct Bounds {
    std::optional<std::int64_t> before;  ///< last step logged before the line
    std::optional<std::int64_t> after;  ///< first step logged after it
};

Bounds boundsOf(const LogEvent& event, const Trace* clock)
{
    if (!clock || clock->column().lines.empty() || event.line == 0)
        return {};
    const Column& column = clock->column();
    const LineRange range = linesOfSource(column, event.source);
    const auto first = column.lines.begin();
    const auto from = first + static_cast<std::ptrdiff_t>(range.begin);
    const auto to = first + static_cast<std::ptrdiff_t>(range.end);
    const auto next = std::lower_bound(from, to, event.line);
    Bounds bounds;
    if (next != from)
        bounds.before = column.steps[static_cast<std::size_t>(next - first) - 1];
    if (next != to)
        bounds.after = column.steps[static_cast<std::size_t>(next - first)];
    return bounds;
}

SkippedUpdates fromEvent(
    const LogEvent& event, const Bounds& bounds, std::int64_t interval, std::int64_t tail)
{
    SkippedUpdates skip;
    skip.count = 1;
    skip.before = event.before;
    skip.after = event.after;
    // A step that equals the record around the line may only be borrowed from it.
    const bool stepFits = event.step && (!bounds.before || *event.step > *bounds.before)
        && (!bounds.after || *event.step < *bounds.after);
    if (stepFits) {
        skip.from = skip.to = *event.step;
    } else if (bounds.after) {
        skip.to = *bounds.after;
        skip.from = bounds.before ? std::min(*bounds.before + 1, skip.to)
                                  : std::max<std::int64_t>(0, skip.to - interval + 1);
    } else {
        skip.from = skip.to = bounds.before.value_or(event.step.value_or(0)) + tail;
    }
    skip.shownAt = skip.from;
    Evidence& quoted = skip.evidence;
    quoted.what = event.text;
    quoted.step = skip.from;
    quoted.value = event.after;
    if (event.line > 0)
        quoted.line = event.line;
    quoted.sourceIndex = event.source;
    return skip;
}

std::vector<SkippedUpdates> fromEvents(std::span<const LogEvent* const> events, const Trace* clock)
{
    std::vector<SkippedUpdates> skips;
    std::int64_t tail = 0;  // overflows after the last logged step
    for (const LogEvent* event : overflowsOfOneRank(events)) {
        const Bounds bounds = boundsOf(*event, clock);
        if (!bounds.after)
            ++tail;
        skips.push_back(fromEvent(*event, bounds, clock ? clock->interval() : 1, tail));
        if (!skips.back().before && skips.size() > 1)
            skips.back().before = skips[skips.size() - 2].after;
    }
    std::stable_sort(
        skips.begin(), skips.end(), [](const auto& a, const auto& b) { return a.to < b.to; });
    return skips;
}

std::vector<SkippedUpdates> fromScale(const Trace& trace)
{
    std::vector<SkippedUpdates> skips;
    for (std::size_t i = 1; i < trace.size(); ++i) {
        const double before = trace.value(i - 1);
        const double after = trace.value(i);
        if (!isFinite(before) || !isFinite(after) || !(after < before) || !(before > 0.0))
            continue;
        SkippedUpdates skip;
        skip.from = firstStepOf(trace, i);
        skip.to = trace.step(i);
        const double halvings = after > 0.0 ? std::log2(before / after) : 1.0;
        skip.count = std::clamp<std::int64_t>(
            std::llround(halvings), 1, std::max<std::int64_t>(1, skip.to - skip.from + 1));
        skip.before = before;
        skip.after = after;
        skip.inferred = true;
        skip.shownAt = skip.fillsItsSteps() ? skip.from : skip.to;
        skip.evidence = trace.evidence(
            i, fmt::format("scale falls from {} to {}", shortNumber(before), shortNumber(after)));
        skips.push_back(std::move(skip));
    }
    return skips;
}

/// Skips that a counter knows and no line tells of (the lines may be filtered by level).
void addUntold(std::vector<SkippedUpdates>& told, std::vector<SkippedUpdates> counted)
{
    for (SkippedUpdates& interval : counted) {
        std::int64_t known = 0;
        for (const SkippedUpdates& skip : told) {
            if (skip.from >= interval.from && skip.to <= interval.to)
                known += skip.count;
        }
        if (known >= interval.count)
            continue;
        interval.count -= known;
        told.push_back(std::move(interval));
    }
    std::stable_sort(
        told.begin(), told.end(), [](const auto& a, const auto& b) { return a.to < b.to; });
}

}  // namespace

SkipTimeline::SkipTimeline(const SkipInput& input)
{
    const bool cumulative = input.run.traits.skippedIsCumulative;
    std::vector<SkippedUpdates> counted;
    bool everyStep = false;
    if (!input.counters.empty()) {
        const Trace& counter = input.counters.front();
        counted = fromCounter(counter, isCumulative(counter, cumulative));
        everyStep = counter.interval() == 1;
        m_counted = true;
    }
    m_skips = fromEvents(input.events, input.clock);
    if (everyStep && !counted.empty())
        m_skips = std::move(counted);
    else
        addUntold(m_skips, std::move(counted));
    if (m_skips.empty() && !m_counted && !input.scales.empty())
        m_skips = fromScale(input.scales.front());
    addScales(input.scales);
}

void SkipTimeline::addScales(std::span<const Trace> scales)
{
    if (scales.empty())
        return;
    const Trace& scale = scales.front();
    for (SkippedUpdates& skip : m_skips) {
        if (!skip.before)
            skip.before = scale.valueUpTo(skip.from - 1);
        if (!skip.after)
            skip.after = scale.valueUpTo(skip.to);
    }
}

std::int64_t SkipTimeline::total() const noexcept
{
    std::int64_t sum = 0;
    for (const SkippedUpdates& skip : m_skips)
        sum += skip.count;
    return sum;
}

const SkippedUpdates* SkipTimeline::touching(std::int64_t from, std::int64_t to) const noexcept
{
    const auto found = std::lower_bound(m_skips.begin(), m_skips.end(), from,
        [](const SkippedUpdates& skip, std::int64_t step) { return skip.to < step; });
    return found != m_skips.end() && found->from <= to ? &*found : nullptr;
}

}  // namespace firstbad::core
