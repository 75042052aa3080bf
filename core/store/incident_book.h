// SPDX-License-Identifier: GPL-3.0-or-later
// Judgements of a case: incidents, their verdicts and the findings they stand on, as rows and back.
//
// A judgement that equals the newest one of its run writes nothing. One thread.
#pragma once

#include "core/detect/incident.h"
#include "core/store/chain.h"

#include <span>
#include <vector>

namespace firstbad::core {

/// Appends a judgement of the run `runKey` unless it equals the newest; true when it was new.
[[nodiscard]] Result<bool> appendJudgement(Database& database, ChainWriter& chain,
    std::int64_t runKey, std::span<const Incident> incidents);

/// The incidents of the newest judgement of a run, in order.
[[nodiscard]] Result<std::vector<Incident>> newestIncidents(
    const Database& database, std::int64_t runKey);

}  // namespace firstbad::core
