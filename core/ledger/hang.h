// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that are missing, and ranks that waited for others. Pure, any thread, linear in the ranks.
#pragma once

#include "core/ledger/ledger_group.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

struct MissingRank {
    std::int32_t rank = 0;
    std::int64_t fromStep = 0;
    bool hasLedger = false;  ///< false: nobody gave a file of this rank
};

/// At most kMaxMissing ranks; a world of a million with one ledger is no list to read.
[[nodiscard]] std::vector<MissingRank> missingRanks(const LedgerGroup& group);
inline constexpr std::size_t kMaxMissing = 10'000;

struct Hang {
    std::int64_t step = 0;
    std::vector<std::int32_t> stopped;  ///< raised, or never came to the collective
    std::vector<std::int32_t> waiting;
    std::string op;  ///< collective they waited in; empty: not told
    std::string because;
};

[[nodiscard]] std::optional<Hang> findHang(const LedgerGroup& group);

}  // namespace firstbad::core
