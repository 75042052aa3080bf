// SPDX-License-Identifier: GPL-3.0-or-later
// Timeline: all that a plotted run can show: panels, attempts, marks, incidents; before any zoom.
//
// Immutable once made, then safe on any thread; shares the run's columns. makeTimeline() builds one
// pyramid a panel and attempt: one pass over their points.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/detect/assessment.h"
#include "core/present/text/plot_axis.h"
#include "core/restore/save_status.h"
#include "core/series/pyramid.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace firstbad::core {

/// One series in one attempt.
struct TimelineTrace {
    std::shared_ptr<const Pyramid> pyramid;  ///< null: the attempt does not hold the series
    bool stepsAscend = true;
    double interval = 1.0;  ///< typical distance of two points
};

struct TimelinePanel {
    std::string label;  ///< "loss", else the source's own name
    std::string sourceName;
    Quantity quantity = Quantity::Other;
    PlotScale scale = PlotScale::Linear;  ///< preferred; a frame may have to fall back to linear
    bool holdsValue = false;  ///< a value holds until the next one
    std::vector<TimelineTrace> traces;  ///< parallel to the attempts
};

struct TimelineAttempt {
    std::string name;  ///< "a7"
    std::optional<std::size_t> parent;
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> last;
    std::optional<std::int64_t> givenUpFrom;
    std::optional<std::int64_t> resumedFrom;
    AttemptEnd end = AttemptEnd::Unknown;
    std::string why;
};

enum class TimelineMarkerKind : std::uint8_t { Save, Intervention, DataChange };

struct TimelineMarker {
    TimelineMarkerKind kind = TimelineMarkerKind::Save;
    std::int64_t step = 0;
    std::size_t attempt = 0;
    std::string text;
    SaveStatus status = SaveStatus::Suspect;  ///< until its tensors were read
    bool newestBeforeFault = false;  ///< the newest save that the worst fault leaves to restore
};

struct TimelineBand {
    std::string id;  ///< of the incident
    IncidentKind kind = IncidentKind::None;
    IncidentClass verdict = IncidentClass::Unknown;
    std::size_t attempt = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::optional<std::int64_t> firstBad;
    bool firstBadCertain = false;
    std::optional<std::int64_t> peak;
};

struct Timeline {
    RunPtr run;
    std::vector<TimelinePanel> panels;
    std::vector<TimelineAttempt> attempts;
    std::vector<TimelineMarker> markers;  ///< by step
    std::vector<TimelineBand> bands;  ///< worst first
    std::int64_t from = 0;  ///< steps with a point, both ends included
    std::int64_t to = 0;
};

/// Loss, loss scale, grad norm and learning rate as far as the run has them, then the series named
/// in `extraSeries`. A run with none of them shows its first series.
[[nodiscard]] Result<Timeline> makeTimeline(const Assessment& assessment, std::size_t run,
    std::span<const std::string> extraSeries, JobContext& job);

struct StepWindow {
    std::int64_t from = 0;  ///< both ends included
    std::int64_t to = 0;
};

/// The steps worth seeing around some that matter: the usual level before, what became of it after.
[[nodiscard]] StepWindow windowAround(const Run& run, StepWindow matters) noexcept;

/// Smallest and largest step of all attempts.
[[nodiscard]] StepWindow stepsOf(const Run& run) noexcept;

/// True for the attempt and those that it continues, directly or not.
[[nodiscard]] std::vector<bool> lineageOf(const Timeline& timeline, int attempt);

}  // namespace firstbad::core
