// SPDX-License-Identifier: GPL-3.0-or-later
// The five questions about one incident, answered as far as what was read goes.
//
// Pure; linear in the events of the run; any thread. An answer names its evidence; what is not
// known is said, with what would settle it.
#pragma once

#include "core/detect/assessment.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace firstbad::core {

enum class AnswerKind : std::uint8_t { Known, Bad, Unknown };

struct Question {
    AnswerKind kind = AnswerKind::Unknown;
    std::string answer;  ///< one sentence, the strong part
    std::vector<std::string> details;  ///< lines below it
    std::vector<Evidence> evidence;
    std::vector<Unknown> unknown;
};

/// 1 first non-finite value, 2 how far it went, 3 ranks alike, 4 reproduced, 5 checkpoint kept out.
using FiveQuestions = std::array<Question, 5>;

[[nodiscard]] FiveQuestions answerQuestions(
    const Assessment& assessment, const PlacedIncident& placed);

/// A save of the run, and what the incident says about it.
struct SaveVerdict {
    std::int64_t step = 0;
    std::string attempt;
    bool mayBeRestored = false;  ///< lies before what the incident may have touched
    std::string because;
};

/// Saves named by the log near the incident, newest first; at most `most`.
[[nodiscard]] std::vector<SaveVerdict> savesAround(
    const Assessment& assessment, const PlacedIncident& placed, std::size_t most);

}  // namespace firstbad::core
