// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad ledger: the evidence ledgers of all ranks side by side.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeLedgerCommand();

inline constexpr Command kLedgerCommand{"ledger", "[PATH...]",
    "Compare the evidence ledgers of all ranks around the first bad event",
    "Reads *.ledger.jsonl (plain, gzip or zstd), verifies each chain of hashes, joins the ranks by "
    "attempt, step and micro-step, and shows where the first bad value began, which ranks it "
    "reached, where ranks disagree, who stopped and who waited, and whether attempts used the same "
    "samples. Wall clocks are never compared. Without PATH the ledgers of the case are read again "
    "where they lie.\n\nExit status 3 if a value is bad beyond a probing scaler, ranks disagree or "
    "hang; 4 if a ledger is damaged.",
    "firstbad ledger run/ledger  # the table of ranks\n"
    "firstbad ledger -v run/ledger  # every disagreement\n"
    "firstbad ledger --json run/ledger | jq .result.origin_ranks",
    makeLedgerCommand};

}  // namespace firstbad::cli
