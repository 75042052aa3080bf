// SPDX-License-Identifier: GPL-3.0-or-later
// Splits one source at its breaks into segments: stretches that one launch of the training wrote.
//
// Pure; linear in the breaks; any thread.
#pragma once

#include "core/import/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

/// Half-open ranges into the columns and events of one source.
struct Segment {
    std::size_t source = 0;  ///< index into the sources given
    std::string why;  ///< why it begins here; empty for the first of a source
    bool certain = false;
    std::vector<std::size_t> pointsFrom;  ///< per column
    std::vector<std::size_t> pointsTo;
    std::vector<std::size_t> missingFrom;
    std::vector<std::size_t> missingTo;
    std::size_t eventsFrom = 0;
    std::size_t eventsTo = 0;
    std::optional<std::int64_t> firstStep;  ///< first step in source order of its longest column
    std::optional<std::int64_t> minStep;
    std::optional<std::int64_t> maxStep;
    std::optional<double> started;
    std::optional<double> ended;

    [[nodiscard]] bool hasPoints() const noexcept { return firstStep.has_value(); }
};

/// Segments in source order. Breaks that are certain split; a step that goes back splits when what
/// follows repeats steps; a source whose steps jump back all the time is unsorted and not split by
/// them at all.
[[nodiscard]] std::vector<Segment> segmentsOf(const SourceData& data, std::size_t sourceIndex);

}  // namespace firstbad::core
