// SPDX-License-Identifier: GPL-3.0-or-later
// The sources of a case: newest version of each, and what became of those just read.
//
// Hashes the known part of a file that grew; cancellable. One thread.
#pragma once

#include "core/base/job_context.h"
#include "core/store/case_store.h"
#include "core/store/chain.h"

#include <cstdint>
#include <string>
#include <vector>

namespace firstbad::core {

/// A row that a transaction will append.
struct PendingRow {
    std::string_view table;
    Row cells;
};

/// The sources of a data set as the case will know them; all vectors parallel to Dataset::sources.
struct SourcePlan {
    std::vector<std::uint32_t> numbers;
    std::vector<SourceChange> changes;
    std::vector<PendingRow> rows;  ///< only for sources that are new or changed
};

[[nodiscard]] Result<std::vector<StoredSource>> newestSources(const Database& database);

[[nodiscard]] Result<SourcePlan> planSources(
    const Database& database, const std::vector<SourceInfo>& sources, JobContext& job);

/// Absolute and without links in the part that exists; "!member" is kept.
[[nodiscard]] std::string locationOf(const std::string& path);

}  // namespace firstbad::core
