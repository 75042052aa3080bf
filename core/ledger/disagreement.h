// SPDX-License-Identifier: GPL-3.0-or-later
// Disagreement: a field that has to be equal on all ranks of a step and is not.
//
// Pure over immutable ledgers; linear in what differs, columns that are the same bit by bit cost
// one comparison of their bytes. Any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/ledger/ledger_group.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

struct DisagreeingValue {
    std::vector<std::int32_t> ranks;
    std::optional<std::int64_t> attempt;  ///< set when attempts are compared, not ranks
    std::optional<double> number;
    bool isFlag = false;  ///< number is 0 or 1 and means false or true
    std::string text;  ///< instead of a number
};

struct Disagreement {
    std::int64_t step = 0;
    std::int64_t microStep = 0;
    std::string field;  ///< as in the ledger: "loss_scale_after", "decision.action"
    std::vector<DisagreeingValue> values;  ///< most ranks first
};

struct Disagreements {
    std::vector<Disagreement> list;  ///< by step; at most kMaxDisagreements
    std::uint64_t total = 0;
};

inline constexpr std::size_t kMaxDisagreements = 1000;

[[nodiscard]] Disagreements disagreementsOf(const LedgerGroup& group, JobContext& job);

}  // namespace firstbad::core
