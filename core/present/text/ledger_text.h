// SPDX-License-Identifier: GPL-3.0-or-later
// The result of `ledger` as text for 80 columns and more. Pure, any thread.
#pragma once

#include "core/ledger/ledger_report.h"
#include "core/present/text/text_style.h"

#include <span>

namespace firstbad::core {

/// `verbose` lists every disagreement, missing rank, file and statement.
[[nodiscard]] StyledText ledgerText(
    std::span<const LedgerReport> reports, const TextStyle& style, bool verbose);

}  // namespace firstbad::core
