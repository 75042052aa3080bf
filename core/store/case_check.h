// SPDX-License-Identifier: GPL-3.0-or-later
// CaseCheck: what `doctor` and tests learn about the soundness of a case.
//
// Plain values; any thread.
#pragma once

#include "core/base/diagnostics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace firstbad::core {

/// The first row of one table whose hash does not follow from the rows before it.
struct BrokenChain {
    std::string table;
    std::int64_t row = 0;  ///< counted from 1; one past the last when rows are missing at the end
    std::string reason;  ///< one sentence
};

struct CaseCheck {
    std::int64_t schemaVersion = 0;
    std::string journal;  ///< "wal", or "delete" on network disks
    std::uint64_t rows = 0;  ///< in all append-only tables
    std::uint64_t segmentFiles = 0;
    std::uint64_t segmentBytes = 0;
    std::vector<BrokenChain> broken;
    std::vector<std::string> unnamedFiles;  ///< in series/, ignored: the database names them not
    Diagnostics problems;  ///< broken chains, missing or changed files, as sentences

    [[nodiscard]] bool sound() const noexcept { return problems.empty(); }
};

}  // namespace firstbad::core
