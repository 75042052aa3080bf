// SPDX-License-Identifier: GPL-3.0-or-later
// Series as JSON and CSV (contracts.md 2). Pure, any thread; linear in the points written.
#pragma once

#include "core/base/json_writer.h"
#include "core/present/series_selection.h"

#include <string>
#include <vector>

namespace firstbad::core {

/// `withPoints` adds steps, values and times.
void writeSeriesEntry(JsonWriter& json, const SeriesEntry& entry, bool withPoints);

/// {"series":[...]}
[[nodiscard]] std::string seriesJson(const std::vector<SeriesEntry>& entries, bool withPoints);

/// One row a point: run, series, attempt, step, time, value. Missing values are empty cells. Cells
/// that a spreadsheet would run as a formula get a leading quote.
[[nodiscard]] std::string seriesCsv(const std::vector<SeriesEntry>& entries);

}  // namespace firstbad::core
