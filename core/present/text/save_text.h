// SPDX-License-Identifier: GPL-3.0-or-later
// Saves for people: list, choice, gate and the graph of where each came from. Pure, any thread.
#pragma once

#include "core/present/text/text_style.h"
#include "core/restore/save_record.h"

#include <string>
#include <vector>

namespace firstbad::core {

[[nodiscard]] StyledText saveListText(const std::vector<SaveRecord>& records,
    const std::vector<std::string>& rotation, const TextStyle& style, bool verbose);
/// The last line is the path that was picked, alone.
[[nodiscard]] StyledText pickText(const std::vector<SaveRecord>& records, const PickResult& pick,
    const TextStyle& style, bool verbose);
[[nodiscard]] StyledText gateText(const SaveRecord& record, const TextStyle& style);
[[nodiscard]] StyledText lineageText(const std::vector<SaveRecord>& records,
    const std::vector<std::string>& rotation, const TextStyle& style);

}  // namespace firstbad::core
