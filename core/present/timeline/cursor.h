// SPDX-License-Identifier: GPL-3.0-or-later
// The exact values of a run at one step, and the values between two, as a cursor shows them.
//
// Pure lookups, logarithmic in the points for sources in step order; any thread.
#pragma once

#include "core/present/timeline/timeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

enum class ReadingKind : std::uint8_t {
    Value,  ///< the step itself has a value, finite or not
    Before,  ///< the newest value before the step, which is between two logged steps
    Missing,  ///< the source names the series at this step without a value
    None,  ///< the attempt has nothing at or before this step
};

struct Reading {
    ReadingKind kind = ReadingKind::None;
    double value = 0.0;
    std::int64_t step = 0;  ///< of the value
    std::optional<std::uint32_t> source;
    std::optional<std::uint32_t> line;
    std::optional<double> time;
};

struct SeriesReading {
    std::string name;
    Quantity quantity = Quantity::Other;
    std::vector<Reading> attempts;  ///< parallel to the run's attempts
};

/// Every series of the run at the step: loss, scale, norm and rate first.
[[nodiscard]] std::vector<SeriesReading> readCursor(const Run& run, std::int64_t step);

[[nodiscard]] Reading readColumn(const Column& column, std::int64_t step);

/// The last finite value at or before the step; for measuring from a NaN.
[[nodiscard]] Reading readFinite(const Column& column, std::int64_t step);

/// "step,attempt,series,value" lines of every panel for the steps [from, to]; NaN kept. At most
/// `limit` lines, then one that says how many were left out.
[[nodiscard]] std::string windowCsv(const Timeline& timeline, StepWindow window, std::size_t limit);

}  // namespace firstbad::core
