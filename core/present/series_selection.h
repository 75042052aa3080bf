// SPDX-License-Identifier: GPL-3.0-or-later
// Which series, attempts and steps of a data set a user asked for, with their statistics.
//
// Pure; columns are shared, and copied only where a step range cuts them. One pass over the points
// for the statistics. Any thread.
#pragma once

#include "core/import/dataset.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct SeriesFilter {
    std::string name;  ///< the source's name, a quantity, or the last part of a name; empty: all
    std::string attempt;  ///< AttemptId; empty: all
    std::optional<std::int64_t> fromStep;
    std::optional<std::int64_t> toStep;
};

struct SeriesPart {
    std::size_t attempt = 0;  ///< index into Run::attempts
    std::shared_ptr<const Column> column;
};

struct SeriesEntry {
    RunPtr run;
    const Series* series = nullptr;  ///< lives in `run`
    std::vector<SeriesPart> parts;  ///< attempts that hold the series, in their order
    ColumnSummary summary;

    [[nodiscard]] std::uint64_t points() const noexcept
    {
        return summary.counts.finite + summary.counts.nonfinite();
    }
};

/// In the order of runs and their series. Names are matched in steps: exactly or by quantity; then
/// whatever the case; then by the last part ("accuracy" finds "eval/accuracy"); then by any part.
[[nodiscard]] std::vector<SeriesEntry> selectSeries(
    const Dataset& dataset, const SeriesFilter& filter);

/// All series of a run, all attempts.
[[nodiscard]] std::vector<SeriesEntry> seriesOfRun(const RunPtr& run);

}  // namespace firstbad::core
