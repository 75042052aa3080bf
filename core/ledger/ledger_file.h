// SPDX-License-Identifier: GPL-3.0-or-later
// Reads ledger files, plain or compressed: line by line, one, or many at once on all cores.
//
// Streams; memory: the RankLedgers and one block a thread. Cancel within 100 ms.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/import/source.h"
#include "core/ledger/rank_ledger_reader.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace firstbad::core {

/// How a file was stored, and what kept it from its regular end.
struct LedgerStream {
    std::uint64_t bytesOnDisk = 0;
    std::string compression;
    std::optional<SkippedPart> damage;
};

/// Calls `take` with every line. Lines are cut at '\n' only: the hashes cover everything else,
/// '\r' included. A line of more than 64 MiB is Malformed: no ledger has one.
[[nodiscard]] Result<LedgerStream> eachLedgerLine(const std::filesystem::path& path,
    const std::string& shownPath, JobContext& job,
    const std::function<void(const LedgerLine&)>& take);

struct LedgerPath {
    std::filesystem::path path;
    std::string shownPath;
};

/// Reads all of them, in the order given. A file that can not be read is a RankLedger with one
/// damage of code "unreadable" and no rows; fails only on cancel.
[[nodiscard]] Result<std::vector<RankLedgerPtr>> readLedgers(
    std::span<const LedgerPath> paths, JobContext& job);

}  // namespace firstbad::core
