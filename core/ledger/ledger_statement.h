// SPDX-License-Identifier: GPL-3.0-or-later
// LedgerStatement: one thing that ledgers tell and a reader has to know. Plain values, any thread.
#pragma once

#include "core/base/diagnostics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace firstbad::core {

struct LedgerStatement {
    std::string code;  ///< an audit code of contracts.md 2, or one of the ledger's own
    Severity severity = Severity::Info;
    std::string text;
    std::int64_t attempt = 0;
    std::vector<std::int64_t> steps;
    std::vector<std::int32_t> ranks;
};

/// "1 rank", "3 ranks".
[[nodiscard]] std::string rankCount(std::size_t count);

}  // namespace firstbad::core
