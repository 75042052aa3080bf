// SPDX-License-Identifier: GPL-3.0-or-later
// Small phrases that several texts of the terminal share: attempts, steps, verdicts, places.
//
// Pure, any thread. Nothing here is escaped: callers pass it on through LineBuilder.
#pragma once

#include "core/detect/incident.h"
#include "core/present/text/text_style.h"
#include "core/series/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// "a7" for attempt "7"; any other name as it is.
[[nodiscard]] std::string attemptName(const std::string& id);

/// "33,401–33,812", "step 5", or "no steps".
[[nodiscard]] std::string stepRange(
    const std::optional<std::int64_t>& first, const std::optional<std::int64_t>& last);

/// "fault 0.9"
[[nodiscard]] std::string verdictText(const Incident& incident);
[[nodiscard]] Role roleOf(IncidentClass verdict) noexcept;

/// "rank 462 · forward · blocks.41.attn.scores"; empty when only the step is known.
[[nodiscard]] std::string locusText(const Locus& locus);

/// "train.log:41877", with only the last part of the path.
[[nodiscard]] std::string placeText(const Evidence& evidence);

/// "stopped by a signal", "finished", ...; empty when unknown.
[[nodiscard]] std::string endText(AttemptEnd end);

/// Names of runs without the folders that all of them share; "(unnamed)" for an empty one.
[[nodiscard]] std::vector<std::string> distinctNames(const std::vector<RunPtr>& runs);

/// "3 attempts", "1 attempt"
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one);

}  // namespace firstbad::core
