// SPDX-License-Identifier: GPL-3.0-or-later
// What the ledgers of several attempts say of the data: samples of one step that moved, samples
// seen again or left out, versions and configurations that changed.
//
// Pure over immutable ledgers; linear in the steps that both attempts did. Any thread.
#pragma once

#include "core/ledger/disagreement.h"
#include "core/ledger/ledger_statement.h"

#include <vector>

namespace firstbad::core {

/// Compares `later` with an attempt before it. Disagreements about samples go into `found`.
void compareAttempts(const LedgerGroup& earlier, const LedgerGroup& later, Disagreements& found,
    std::vector<LedgerStatement>& statements);

}  // namespace firstbad::core
