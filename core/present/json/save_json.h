// SPDX-License-Identifier: GPL-3.0-or-later
// The results of `checkpoint list|pick|gate|lineage` as JSON (contracts.md 2 and 6).
//
// Pure, any thread.
#pragma once

#include "core/base/json_writer.h"
#include "core/detect/assessment.h"
#include "core/restore/save_record.h"

#include <string>
#include <vector>

namespace firstbad::core {

/// The members that every command shows of one checkpoint, with braces.
void writeSave(JsonWriter& json, const SaveRecord& record);

[[nodiscard]] std::string saveListJson(
    const std::vector<SaveRecord>& records, const std::vector<std::string>& rotation);
[[nodiscard]] std::string pickJson(const std::vector<SaveRecord>& records, const PickResult& pick);
[[nodiscard]] std::string gateJson(const SaveRecord& record);
/// `assessment` may be nullptr.
[[nodiscard]] std::string lineageJson(const std::vector<SaveRecord>& records,
    const Assessment* assessment, const std::vector<std::string>& rotation);

}  // namespace firstbad::core
