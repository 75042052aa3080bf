// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/run_view.h"

#include <algorithm>

namespace firstbad::core {
namespace {

std::vector<Trace>* placeOf(AttemptView& view, const Series& series)
{
    if (series.isRunningMean)
        return &view.runningMeans;
    switch (series.quantity) {
    case Quantity::Loss:
        return &view.losses;
    case Quantity::GradNorm:
        return &view.norms;
    case Quantity::LossScale:
        return &view.scales;
    case Quantity::LearningRate:
        return &view.rates;
    case Quantity::Skipped:
        return &view.counters;
    case Quantity::NanIterations:
        return &view.nanCounters;
    case Quantity::UpdateNorm:
        return &view.updateNorms;
    case Quantity::Throughput:
    case Quantity::StepTime:
        return &view.speeds;
    case Quantity::ParamNorm:
    case Quantity::Tokens:
    case Quantity::Samples:
    case Quantity::Other:
        break;
    }
    return &view.others;
}

const Trace* finest(const AttemptView& view)
{
    const Trace* best = nullptr;
    for (const auto* traces : {&view.losses, &view.norms, &view.rates, &view.scales, &view.counters,
             &view.speeds, &view.others}) {
        for (const Trace& trace : *traces) {
            if (!best || trace.size() > best->size())
                best = &trace;
        }
    }
    return best;
}

AttemptView viewOf(const Run& run, std::size_t index, std::size_t history)
{
    AttemptView view;
    view.index = index;
    view.attempt = &run.attempts[index];
    for (const Series& series : run.series) {
        const Column* column = series.column(index);
        if (!column || (column->empty() && column->missingSteps.empty()))
            continue;
        std::vector<Trace>* place = placeOf(view, series);
        Trace trace(run, series, index, place == &view.others ? 0 : history);
        const bool neverLogged = place == &view.norms && trace.size() > 1 && trace.isAlways(0.0);
        (neverLogged ? view.others : *place).push_back(std::move(trace));
    }
    for (std::size_t i = 0; i < run.events.size(); ++i) {
        if (i >= run.eventAttempt.size() || run.eventAttempt[i] == index)
            view.events.push_back(&run.events[i]);
    }
    view.first = view.attempt->firstStep;
    view.last = view.attempt->lastStep;
    const Trace* clock = finest(view);
    view.interval = clock ? clock->interval() : 1;
    view.skips
        = SkipTimeline(SkipInput{run, index, view.counters, view.scales, clock, view.events});
    return view;
}

/// The name without the rank that is appended to it.
std::string_view baseName(std::string_view name)
{
    return name.substr(0, name.find(" [rank "));
}

bool moves(const Trace& scale)
{
    return scale.size() > 1 && !scale.isAlways(scale.value(0));
}

}  // namespace

const Trace* AttemptView::other(std::string_view name) const noexcept
{
    const auto found = std::find_if(others.begin(), others.end(),
        [&](const Trace& trace) { return baseName(trace.series().name) == name; });
    return found != others.end() ? &*found : nullptr;
}

const Trace* AttemptView::ofRank(
    const std::vector<Trace>& traces, std::optional<std::int32_t> rank) noexcept
{
    const auto found = std::find_if(traces.begin(), traces.end(),
        [&](const Trace& trace) { return !rank || !trace.rank() || trace.rank() == rank; });
    return found != traces.end() ? &*found : nullptr;
}

std::int64_t AttemptView::firstStepOf(const Trace& trace, std::size_t i) noexcept
{
    if (i > 0)
        return std::min(trace.step(i - 1) + 1, trace.step(i));
    return trace.interval() > 1 ? trace.step(0) - trace.interval() + 1 : trace.step(0);
}

RunView::RunView(const Run& source, const Settings& settings)
    : run(&source)
{
    const auto history = static_cast<std::size_t>(settings.get("spike.window"));
    attempts.reserve(source.attempts.size());
    for (std::size_t i = 0; i < source.attempts.size(); ++i) {
        attempts.push_back(viewOf(source, i, history));
        const AttemptView& view = attempts.back();
        hasDynamicScale = hasDynamicScale
            || std::any_of(view.scales.begin(), view.scales.end(), moves)
            || std::any_of(view.skips.skips().begin(), view.skips.skips().end(),
                [](const SkippedUpdates& skip) { return skip.after.has_value(); });
    }
}

}  // namespace firstbad::core
