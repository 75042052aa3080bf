// SPDX-License-Identifier: GPL-3.0-or-later
// assessSaves(): scans saves and joins them with parents, siblings, ledgers and incidents.
//
// Long: reads every checkpoint once, and what the rules must see again. Cancellable; one thread
// calls, the scan uses all cores.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/detect/assessment.h"
#include "core/restore/ledger_saves.h"
#include "core/restore/save_record.h"

#include <map>
#include <vector>

namespace firstbad::core {

struct SaveContext {
    std::vector<LedgerSave> ledgerSaves;
    const Assessment* assessment = nullptr;  ///< not owned; nullptr: no log was read
    std::map<std::string, PersonWord> words;  ///< by location of the checkpoint
    std::int64_t cleanSteps = 100;
    bool checkHashes = true;
    /// Saves beside those that are asked about: opened for their sections, not scanned.
    std::vector<CheckpointPlace> siblings;
};

/// In the order of the places.
[[nodiscard]] Result<std::vector<SaveRecord>> assessSaves(
    const std::vector<CheckpointPlace>& places, const SaveContext& context, JobContext& job);

/// Other saves in the folder that holds `place`: at most four, nearest names.
[[nodiscard]] std::vector<CheckpointPlace> findSiblings(
    const CheckpointPlace& place, JobContext& job);

/// A sentence when the newest safe save of a folder is the next that rotation deletes.
[[nodiscard]] std::vector<std::string> rotationWarnings(const std::vector<SaveRecord>& records);

}  // namespace firstbad::core
