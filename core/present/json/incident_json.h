// SPDX-License-Identifier: GPL-3.0-or-later
// Incidents as JSON (contracts.md 2). Pure, any thread.
#pragma once

#include "core/base/json_writer.h"
#include "core/detect/assessment.h"

#include <string>
#include <vector>

namespace firstbad::core {

/// The member "unknown": what is not known, and what would settle it.
void writeUnknowns(JsonWriter& json, const std::vector<Unknown>& unknowns);
void writeIncident(JsonWriter& json, const Incident& incident);

/// {"incidents":[...]} in the order of ids.
[[nodiscard]] std::string incidentsJson(const Assessment& assessment);
/// The same with some of them.
[[nodiscard]] std::string incidentsJson(const std::vector<PlacedIncident>& incidents);

}  // namespace firstbad::core
