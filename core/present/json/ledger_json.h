// SPDX-License-Identifier: GPL-3.0-or-later
// The result of `ledger` as JSON (contracts.md 2). Pure, any thread.
#pragma once

#include "core/ledger/ledger_report.h"

#include <span>
#include <string>

namespace firstbad::core {

/// Members of the run with a fault (the first run when none has) and, with several, all in `runs`.
[[nodiscard]] std::string ledgerJson(std::span<const LedgerReport> reports);

/// The report that a reader wants to see first; nullptr when there is none.
[[nodiscard]] const LedgerReport* worstReport(std::span<const LedgerReport> reports) noexcept;

}  // namespace firstbad::core
