// SPDX-License-Identifier: GPL-3.0-or-later
// A disagreement in one line: "7 ranks 2, rank 0 1". Pure, any thread.
#pragma once

#include "core/ledger/disagreement.h"

#include <string>

namespace firstbad::core {

/// "true", "65536", "skip": one of the values.
[[nodiscard]] std::string valueText(const DisagreeingValue& value);
/// "rank 3", "ranks 0-2, 5", "767 ranks": short enough for a table.
[[nodiscard]] std::string ranksText(const std::vector<std::int32_t>& ranks);
[[nodiscard]] std::string disagreementText(const Disagreement& disagreement);

}  // namespace firstbad::core
