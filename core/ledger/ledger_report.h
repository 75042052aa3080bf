// SPDX-License-Identifier: GPL-3.0-or-later
// LedgerReport: what the ledgers of one run say when all ranks and attempts are laid side by side.
//
// Holds its ledgers; immutable once built; any thread. Cost: see LedgerGroup and disagreementsOf().
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/ledger/bad_events.h"
#include "core/ledger/disagreement.h"
#include "core/ledger/hang.h"
#include "core/ledger/ledger_statement.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace firstbad::core {

struct LedgerAttempt {
    LedgerGroup group;
    BadEvents bad;
    Disagreements disagreements;
    std::vector<MissingRank> missing;
    std::optional<Hang> hang;
};

struct LedgerReport {
    std::string run;
    std::vector<LedgerAttempt> attempts;  ///< by number
    Disagreements acrossAttempts;  ///< samples of steps that two attempts did
    std::vector<LedgerStatement> statements;

    /// The attempt whose first bad event the report is about: the first with a fault, else with a
    /// probe; nullptr when no rank names anything bad.
    [[nodiscard]] const LedgerAttempt* firstBadAttempt() const noexcept;
    /// A fault, ranks that disagree, or a hang.
    [[nodiscard]] bool holdsFault() const noexcept;
};

/// One report a run, in the order of run names. Fails only on cancel.
[[nodiscard]] Result<std::vector<LedgerReport>> reportLedgers(
    std::span<const RankLedgerPtr> ledgers, JobContext& job);

}  // namespace firstbad::core
