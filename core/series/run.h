// SPDX-License-Identifier: GPL-3.0-or-later
// Run, Attempt, Series: what a training left behind, as immutable columns by (attempt, quantity).
//
// A Run is built once and then shared as shared_ptr<const Run>; safe on any thread after that.
// Memory: the columns (see column.h) and little else.
#pragma once

#include "core/base/ids.h"
#include "core/series/column.h"
#include "core/series/event.h"
#include "core/series/quantity.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

enum class AttemptEnd : std::uint8_t { Unknown, Finished, Exception, Signal, Timeout };

/// "finished|exception|signal|timeout|unknown".
[[nodiscard]] std::string_view toString(AttemptEnd end) noexcept;

struct ResumePoint {
    std::int64_t step = 0;
    std::string path;  ///< may be empty
};

/// One unbroken stretch of a run. Attempts form a tree: `parent` is an index into Run::attempts.
struct Attempt {
    AttemptId id;
    std::optional<std::int64_t> firstStep;  ///< smallest step with a point
    std::optional<std::int64_t> lastStep;  ///< largest
    std::optional<double> started;  ///< seconds since 1970
    std::optional<double> ended;
    AttemptEnd endedHow = AttemptEnd::Unknown;
    std::optional<ResumePoint> resumedFrom;
    std::optional<std::size_t> parent;
    std::string why;  ///< why this counts as a new attempt; empty for the first
    bool isConcurrent = false;  ///< a second writer at the same time as the one before: no restart
    std::optional<std::int64_t>
        givenUpFrom;  ///< steps from here on were done again by a later attempt
};

/// What the numbers of the step axis count.
enum class StepAxis : std::uint8_t { Step, Update, Samples, Tokens, Time };
[[nodiscard]] std::string_view toString(StepAxis axis) noexcept;

/// One curve over all attempts of its run. `columns` is parallel to Run::attempts (null: not in
/// it).
struct Series {
    std::string
        name;  ///< the source's own, nested keys joined by '.', " [rank k]", " [key]" appended
    Quantity quantity = Quantity::Other;
    std::string unit;
    std::optional<RankId> rank;
    StepAxis axis = StepAxis::Step;
    bool isRunningMean = false;  ///< the source shows a smoothed value, not the step's own
    std::vector<std::shared_ptr<const Column>> columns;

    [[nodiscard]] const Column* column(std::size_t attempt) const noexcept
    {
        return attempt < columns.size() ? columns[attempt].get() : nullptr;
    }
    [[nodiscard]] std::uint64_t points() const noexcept;
};

/// Facts about the source that rules need: what the logger hides or rounds.
struct LogTraits {
    std::string dialect;  ///< slug of the dialect or format that gave most points
    std::int64_t interval = 1;  ///< typical distance of two logged steps
    std::optional<std::string> precision;  ///< "fp16", "bf16", "fp32" where the log tells
    bool lossFieldDropsNonfinite = false;  ///< Megatron: the loss field is absent instead of NaN
    bool lossMayBeFiltered = false;  ///< HF Trainer: a NaN loss is shown as 0 or as a mean
    bool skippedIsCumulative = false;  ///< DeepSpeed: skipped=K counts since the start
    bool scaleIsRounded = false;  ///< printed with few digits
};

struct Run {
    RunId id;
    std::vector<Attempt> attempts;
    std::vector<Series> series;
    std::vector<LogEvent> events;  ///< in time order as far as the sources give one
    std::vector<std::size_t> eventAttempt;  ///< parallel to events: index into attempts
    LogTraits traits;

    /// First series of a quantity (rank given: of that rank), nullptr when there is none.
    [[nodiscard]] const Series* find(Quantity quantity) const noexcept;
    [[nodiscard]] const Series* find(std::string_view name) const noexcept;
    [[nodiscard]] std::vector<const Series*> findAll(Quantity quantity) const;
};

using RunPtr = std::shared_ptr<const Run>;

}  // namespace firstbad::core
