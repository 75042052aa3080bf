// SPDX-License-Identifier: GPL-3.0-or-later
// LedgerTable: ranks x steps around the first bad event of one attempt, equal ranks folded into one
// row. What both the terminal and a window show.
//
// Pure; linear in the ranks times the steps shown; any thread.
#pragma once

#include "core/ledger/ledger_report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

enum class RankRole : std::uint8_t { Origin, Victim, Other };

struct LedgerCell {
    enum class State : std::uint8_t { NoRow, Clean, Flagged, Bad };
    State state = State::NoRow;
    KindCounts counts;  ///< of a bad cell, as far as the lines tell
    std::string stage;  ///< first stage that the rank names
    std::string action;  ///< "update", "skip", "stop", "rollback"; empty: not told
    bool operator==(const LedgerCell&) const = default;
};

struct LedgerTableRow {
    std::vector<std::int32_t> ranks;
    RankRole role = RankRole::Other;
    bool disagrees = false;  ///< with most ranks, on a step shown
    std::vector<LedgerCell> cells;  ///< parallel to LedgerTable::steps
};

/// How many ranks did what in one step.
struct LedgerDecisionCount {
    std::string action;
    std::size_t ranks = 0;
};

struct LedgerTable {
    std::vector<std::int64_t> steps;
    std::optional<std::size_t> focus;  ///< index of the step that it is about
    std::vector<std::vector<LedgerDecisionCount>> decisions;  ///< by step; more than one: split
    std::vector<LedgerTableRow> rows;  ///< origins, then ranks that disagree, then the others
};

/// The step that matters: first bad, else first disagreement, else hang, else the last.
[[nodiscard]] std::optional<std::int64_t> focusStep(const LedgerAttempt& attempt);

[[nodiscard]] LedgerTable makeLedgerTable(
    const LedgerAttempt& attempt, std::size_t before, std::size_t after);

}  // namespace firstbad::core
