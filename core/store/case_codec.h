// SPDX-License-Identifier: GPL-3.0-or-later
// What runs, attempts, series, events and sources look like as rows, and back.
//
// Pure functions; any thread. Source numbers in rows are the case's own.
#pragma once

#include "core/import/source.h"
#include "core/series/run.h"
#include "core/store/database.h"

#include <cstdint>
#include <string>
#include <vector>

namespace firstbad::core {

/// Which stored column holds the points of a series in one attempt; id 0: the series is not in it.
struct ColumnRef {
    std::int64_t id = 0;
    std::uint64_t points = 0;
    std::uint64_t missing = 0;
    bool hasTimes = false;
    bool hasLines = false;
    bool operator==(const ColumnRef&) const = default;
};

/// Cells of `sources` from `state` on.
[[nodiscard]] Row sourceCells(const SourceInfo& info);
/// `cells` from `path` on: path, change, state, ...
[[nodiscard]] SourceInfo sourceFromCells(const Row& cells, std::size_t first);

/// What `runs.body` holds beside the traits.
struct RunBody {
    LogTraits traits;
    std::vector<std::int64_t> sources;  ///< numbers, ascending
    std::string eventPrint;  ///< fingerprint of all events: tells whether a list was appended to
};
[[nodiscard]] std::string toBody(const RunBody& run);
[[nodiscard]] RunBody runFromBody(const std::string& body);

/// Cells of `attempts` after position.
[[nodiscard]] Row attemptCells(const Attempt& attempt);
[[nodiscard]] Attempt attemptFromCells(const Row& cells, std::size_t first);

/// Cells of `series` after position.
[[nodiscard]] Row seriesCells(const Series& series, const std::vector<ColumnRef>& columns);
[[nodiscard]] Series seriesFromCells(
    const Row& cells, std::size_t first, std::vector<ColumnRef>& columns);

/// Cells of `events` after position; `event.source` is mapped by the caller.
[[nodiscard]] Row eventCells(const LogEvent& event, std::int64_t source, std::size_t attempt);
[[nodiscard]] LogEvent eventFromCells(const Row& cells, std::size_t first, std::size_t& attempt);

/// A text in which equal rows and only they are equal; for fingerprints.
void putFingerprint(std::string& text, const Row& cells);

}  // namespace firstbad::core
