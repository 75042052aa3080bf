// SPDX-License-Identifier: GPL-3.0-or-later
// SaveRecord: one checkpoint of a training with everything that decides whether it may be restored.
//
// Plain values; immutable once assessed; any thread.
#pragma once

#include "core/restore/find_checkpoints.h"
#include "core/restore/save_status.h"
#include "core/scan/checkpoint_scan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

/// What a person has said of a checkpoint.
struct PersonWord {
    SaveStatus status = SaveStatus::Suspect;
    std::string reason;
    std::string who;
    bool isOverride = false;  ///< said knowing that the file itself is bad
};

struct SaveRecord {
    CheckpointPlace place;
    CheckpointScan scan;
    std::optional<std::int64_t> step;
    std::string parent;  ///< path of the save it came from, as far as known
    std::optional<std::size_t> parentRecord;  ///< that save among the same records
    std::vector<CheckpointWarning> warnings;  ///< of the file, its parent, its ledger, its siblings
    std::string margin;  ///< why an incident keeps it closed; empty: none does
    std::string clean;  ///< what the log says in its favour
    std::optional<PersonWord> person;
    std::string attempt;
    double modified = 0.0;  ///< seconds since 1970
    SaveStatus status = SaveStatus::Suspect;
    std::vector<std::string> because;
};

/// Decides status and reasons from everything else in the record (contracts.md 6).
void decideStatus(SaveRecord& record);

struct PickResult {
    std::optional<std::size_t> picked;
    std::vector<std::size_t> rejected;  ///< not committed, newest first
};

/// The newest committed one.
[[nodiscard]] PickResult pickSave(const std::vector<SaveRecord>& records);

/// Numbers of the records, newest first: by step, then by time, then by path.
[[nodiscard]] std::vector<std::size_t> newestFirst(const std::vector<SaveRecord>& records);

}  // namespace firstbad::core
