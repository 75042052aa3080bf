// SPDX-License-Identifier: GPL-3.0-or-later
// What both MLflow stores hold of one run: rows of metrics in no useful order, and how it ended.
//
// Plain values; 32 bytes a row while it is sorted. One thread.
#pragma once

#include "core/import/binary/source_frame.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

struct MlflowRow {
    std::int64_t step = 0;
    std::int64_t milliseconds = 0;
    double value = 0.0;
    std::uint32_t metric = 0;  ///< index into MlflowRun::metrics
};

struct MlflowRun {
    std::string id;
    std::string name;
    std::string status;  ///< FINISHED, FAILED, KILLED, ...
    std::optional<std::int64_t> endMilliseconds;
    std::vector<std::string> metrics;
    std::vector<MlflowRow> rows;
    std::vector<SkippedPart> skipped;
    std::vector<std::string> notes;
};

/// Sorts the rows by time, then step (so that a resumed run shows its restart), and makes columns.
[[nodiscard]] SourceData sourceFromRun(MlflowRun run, SourceInfo info);

}  // namespace firstbad::core
