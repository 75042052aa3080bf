// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/incident_plot.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostPanels = 4;

struct Window {
    std::int64_t from = 0;
    std::int64_t to = 0;
    [[nodiscard]] bool contains(std::int64_t step) const noexcept
    {
        return step >= from && step <= to;
    }
};

std::optional<std::size_t> attemptIndex(const Run& run, const std::string& id)
{
    for (std::size_t i = 0; i < run.attempts.size(); ++i) {
        if (run.attempts[i].id.value == id)
            return i;
    }
    return std::nullopt;
}

/// Enough before the onset to see the usual level, enough after it to see what became of it.
Window windowAround(const Run& run, const Incident& incident, const Attempt& attempt)
{
    constexpr std::int64_t kLeastSteps = 20;
    constexpr std::int64_t kMostSteps = 150;
    const std::int64_t interval = std::max<std::int64_t>(run.traits.interval, 1);
    const std::int64_t onset = incident.onsetStep;
    const std::int64_t last = std::max(attempt.lastStep.value_or(onset), onset);
    std::int64_t end = std::max(incident.endStep.value_or(last), incident.peakStep.value_or(onset));
    if (incident.firstBad && incident.firstBad->step)
        end = std::max(end, *incident.firstBad->step);
    const std::int64_t length
        = std::clamp(end - onset, kLeastSteps * interval, kMostSteps * interval);
    Window window;
    window.from = onset - std::max(length / 2, kLeastSteps * interval);
    window.to = std::min(onset + length + length / 4, last);
    return window;
}

const Column* columnIn(const Series& series, std::size_t attempt)
{
    const Column* column = series.column(attempt);
    return column != nullptr && !(column->empty() && column->missingSteps.empty()) ? column
                                                                                   : nullptr;
}

bool hasPointsIn(const Column& column, const Window& window)
{
    return std::any_of(column.steps.begin(), column.steps.end(),
        [&](std::int64_t step) { return window.contains(step); });
}

bool isEvidence(const Series& series, const Incident& incident)
{
    return std::any_of(incident.evidence.begin(), incident.evidence.end(),
        [&](const Evidence& evidence) { return evidence.series == series.name; });
}

/// Of several series of a quantity (ranks, heads): the one the evidence names, else the first.
const Series* bestOf(const Run& run, Quantity quantity, const Incident& incident,
    std::size_t attempt, const Window& window)
{
    const Series* best = nullptr;
    for (const Series* series : run.findAll(quantity)) {
        const Column* column = columnIn(*series, attempt);
        if (column == nullptr || !hasPointsIn(*column, window))
            continue;
        if (isEvidence(*series, incident))
            return series;
        best = best == nullptr ? series : best;
    }
    return best;
}

std::vector<const Series*> seriesToShow(
    const Run& run, const Incident& incident, std::size_t attempt, const Window& window)
{
    std::vector<const Series*> shown;
    const auto add = [&](const Series* series) {
        const bool known = std::find(shown.begin(), shown.end(), series) != shown.end();
        if (series != nullptr && !known && shown.size() < kMostPanels)
            shown.push_back(series);
    };
    for (const Quantity quantity : {Quantity::Loss, Quantity::LossScale, Quantity::GradNorm})
        add(bestOf(run, quantity, incident, attempt, window));
    for (const Series& series : run.series) {
        const Column* column = columnIn(series, attempt);
        const bool countsSkips
            = series.quantity == Quantity::Skipped || series.quantity == Quantity::NanIterations;
        if (isEvidence(series, incident) && !countsSkips && column != nullptr
            && hasPointsIn(*column, window))
            add(&series);
    }
    return shown;
}

/// The attempt itself, and what its ancestors did at earlier steps.
void addSegments(PlotPanel& panel, const Run& run, const Series& series, std::size_t attempt)
{
    std::optional<std::size_t> at = attempt;
    std::optional<std::int64_t> before;
    for (std::size_t depth = 0; at && depth < run.attempts.size(); ++depth) {
        const Column* column = columnIn(series, *at);
        if (column != nullptr && !before)
            panel.segments.push_back(segmentOf(*column));
        else if (column != nullptr && std::is_sorted(column->steps.begin(), column->steps.end())) {
            const auto cut = std::lower_bound(column->steps.begin(), column->steps.end(), *before);
            const auto count = static_cast<std::size_t>(cut - column->steps.begin());
            panel.segments.push_back({std::span(column->steps).first(count),
                std::span(column->values).first(count), {}});
        }
        if (run.attempts[*at].firstStep)
            before = run.attempts[*at].firstStep;
        at = run.attempts[*at].parent;
    }
}

bool isUpdateSkip(const LogEvent& event) noexcept
{
    return event.kind == EventKind::Overflow || event.kind == EventKind::GradOverflow;
}

void addSkips(PlotRail& rail, const Run& run, std::size_t attempt)
{
    for (const Series* series : run.findAll(Quantity::Skipped)) {
        const Column* column = columnIn(*series, attempt);
        double before = 0.0;
        for (std::size_t i = 0; column != nullptr && i < column->size(); ++i) {
            const double value = column->values[i];
            if (!isFinite(value))
                continue;
            const bool skipped
                = run.traits.skippedIsCumulative ? i > 0 && value > before : value > 0.0;
            if (skipped)
                rail.marks.push_back({column->steps[i], Mark::Skipped});
            before = value;
        }
    }
}

std::vector<PlotRail> railsOf(const Run& run, std::size_t attempt)
{
    PlotRail skips{"skips", {}};
    PlotRail saves{"saves", {}};
    PlotRail told{"events", {}};
    addSkips(skips, run, attempt);
    for (std::size_t i = 0; i < run.events.size(); ++i) {
        const LogEvent& event = run.events[i];
        const bool here = i < run.eventAttempt.size() && run.eventAttempt[i] == attempt;
        if (!event.step || !here)
            continue;
        if (isUpdateSkip(event))
            skips.marks.push_back({*event.step, Mark::Skipped});
        else if (event.kind == EventKind::Save)
            saves.marks.push_back({*event.step, Mark::Suspect});
        else if (event.kind == EventKind::Intervention || event.kind == EventKind::DataChange)
            told.marks.push_back({*event.step, Mark::Event});
    }
    return {skips, saves, told};
}

std::vector<PlotLabel> labelsOf(const Incident& incident, const Plot& plot)
{
    std::vector<PlotLabel> labels;
    const bool hasFirstBad = incident.firstBad && incident.firstBad->step;
    if (hasFirstBad)
        labels.push_back({*incident.firstBad->step,
            incident.firstBad->certain ? "first bad" : "first seen", true});
    if (!hasFirstBad || *incident.firstBad->step != incident.onsetStep)
        labels.push_back({incident.onsetStep, "onset", !hasFirstBad});
    if (incident.peakStep && *incident.peakStep != incident.onsetStep)
        labels.push_back({*incident.peakStep, "peak", false});
    if (incident.endStep && *incident.endStep != incident.onsetStep)
        labels.push_back({*incident.endStep, "end", false});
    labels.push_back({plot.fromStep, "", false});
    labels.push_back({plot.toStep, "", false});
    return labels;
}

/// The window begins where there is something to show.
std::int64_t firstStepShown(const Plot& plot)
{
    std::int64_t first = plot.toStep;
    for (const PlotPanel& panel : plot.panels) {
        for (const PlotSegment& segment : panel.segments) {
            for (const std::int64_t step : segment.steps)
                first = step >= plot.fromStep ? std::min(first, step) : first;
        }
    }
    return first;
}

}  // namespace

PlotSegment segmentOf(const Column& column) noexcept
{
    return {column.steps, column.values, column.missingSteps};
}

PlotPanel panelFor(const Series& series)
{
    struct Look {
        Quantity quantity;
        PlotScale scale;
        Role role;
        bool holdsValue;
        const char* label;
    };
    constexpr std::array<Look, 4> kLooks{{
        {Quantity::Loss, PlotScale::Linear, Role::Loss, false, "loss"},
        {Quantity::LossScale, PlotScale::Log2, Role::Scale, true, "scale"},
        {Quantity::GradNorm, PlotScale::Log10, Role::Norm, false, "grad norm"},
        {Quantity::LearningRate, PlotScale::Linear, Role::Other, true, "lr"},
    }};
    PlotPanel panel;
    panel.label = series.name;
    panel.role = Role::Other;
    for (const Look& look : kLooks) {
        if (look.quantity != series.quantity)
            continue;
        panel.label = look.label;
        panel.scale = look.scale;
        panel.role = look.role;
        panel.holdsValue = look.holdsValue;
    }
    if (panel.role == Role::Other)
        panel.rows = 3;
    return panel;
}

std::optional<Plot> incidentPlot(const Run& run, const Incident& incident)
{
    const auto attempt = attemptIndex(run, incident.attempt);
    if (!attempt)
        return std::nullopt;
    const Window window = windowAround(run, incident, run.attempts[*attempt]);
    Plot plot;
    plot.fromStep = window.from;
    plot.toStep = window.to;
    for (const Series* series : seriesToShow(run, incident, *attempt, window)) {
        PlotPanel panel = panelFor(*series);
        addSegments(panel, run, *series, *attempt);
        plot.panels.push_back(std::move(panel));
    }
    if (plot.panels.empty())
        return std::nullopt;
    plot.fromStep = firstStepShown(plot);
    plot.rails = railsOf(run, *attempt);
    plot.labels = labelsOf(incident, plot);
    return plot;
}

}  // namespace firstbad::core
