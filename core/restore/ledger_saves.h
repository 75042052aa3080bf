// SPDX-License-Identifier: GPL-3.0-or-later
// What evidence ledgers say of saves: step, parent, hashes of files, and whether a fault was being
// looked into.
//
// Reads ledgers line by line; what is no line of a save is passed over (the importer of ledgers
// tells of damage). One thread; memory: the saves.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

struct LedgerFile {
    std::string path;
    std::optional<std::uint64_t> bytes;
    std::string sha256;
};

struct LedgerSave {
    std::optional<std::int64_t> step;
    std::string path;  ///< as the trainer wrote it
    std::string parent;
    std::vector<LedgerFile> files;
    std::string forensic;  ///< why it is no save to go on from; empty: nothing says so
    std::string ledger;  ///< file that says all this
};

/// All saves of the ledgers, in file order. An unreadable ledger gives none.
[[nodiscard]] std::vector<LedgerSave> readLedgerSaves(
    const std::vector<std::filesystem::path>& ledgers, JobContext& job);

/// Ledgers below a folder, or beside a checkpoint: in its folder and the three above.
[[nodiscard]] std::vector<std::filesystem::path> findLedgers(const std::filesystem::path& path);

/// The save that means `checkpointPath`: the ledger's path is the end of it. nullptr when none is.
[[nodiscard]] const LedgerSave* matchSave(
    const std::vector<LedgerSave>& saves, const std::string& checkpointPath);

/// True when `end` is `path` or its last components.
[[nodiscard]] bool isEndOfPath(const std::string& path, const std::string& end);

}  // namespace firstbad::core
