// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a case: which stored run a run just read continues, and what has to be written.
//
// A version of a run is complete in its small rows and shares the segments of the versions before
// it as long as the old points are the same. One thread; one pass over the columns.
#pragma once

#include "core/import/dataset.h"
#include "core/store/case_codec.h"
#include "core/store/segment_file.h"
#include "core/store/source_book.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace firstbad::core {

/// Newest version of one run.
struct StoredRun {
    std::int64_t key = 0;
    std::int64_t version = 0;
    std::string id;
    std::string givenId;  ///< before it was made unique in the case
    bool isCurrent = true;
    std::int64_t eventList = 0;
    std::int64_t events = 0;
    std::string fingerprint;
    RunBody body;
};

[[nodiscard]] Result<std::vector<StoredRun>> newestRuns(const Database& database);

/// Writes segments into files of bounded size and notes their rows. What it wrote is removed again
/// unless keep() was called: files that no transaction names.
class SegmentSink
{
public:
    SegmentSink(std::filesystem::path folder, std::int64_t commit);
    SegmentSink(const SegmentSink&) = delete;
    SegmentSink& operator=(const SegmentSink&) = delete;
    ~SegmentSink();

    [[nodiscard]] Result<void> add(std::int64_t columnId, std::int64_t part,
        const std::string& place, const std::string& title, const Column& column,
        const ColumnSlice& slice, std::span<const std::uint32_t> numbers);
    /// Writes what is still in memory.
    [[nodiscard]] Result<void> finish();
    void keep() noexcept { m_written.clear(); }

    [[nodiscard]] std::vector<PendingRow>& rows() noexcept { return m_rows; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return m_bytes; }
    [[nodiscard]] std::uint64_t points() const noexcept { return m_points; }

private:
    std::filesystem::path m_folder;
    std::int64_t m_commit;
    std::unique_ptr<SegmentWriter> m_writer;
    std::vector<PendingRow> m_waiting;  // segments of the file being built; they lack its name
    std::vector<PendingRow> m_rows;
    std::vector<std::filesystem::path> m_written;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_points = 0;
};

struct RunPlan {
    std::vector<PendingRow> rows;
    std::vector<std::int64_t> keys;  ///< parallel to Dataset::runs; 0: stored as part of another
    std::uint64_t newRuns = 0;
    std::uint64_t grownRuns = 0;
    std::uint64_t replacedRuns = 0;
    Diagnostics diagnostics;
};

/// Plans all runs of a data set; new points go to `sink` at once.
[[nodiscard]] Result<RunPlan> planRuns(const Database& database, const Dataset& dataset,
    const SourcePlan& sources, SegmentSink& sink, JobContext& job);

}  // namespace firstbad::core
