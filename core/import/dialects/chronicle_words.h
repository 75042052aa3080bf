// SPDX-License-Identifier: GPL-3.0-or-later
// What a sentence of an engineers' diary says about a training: incident, rollback, change, end.
//
// Tables of words in English and Chinese; pure functions, linear in the sentence, any thread.
#pragma once

#include "core/series/event.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct Statement {
    EventKind kind = EventKind::Note;
    std::optional<std::int64_t> step;
};

/// What the sentence states, each kind once; empty for plain prose.
[[nodiscard]] std::vector<Statement> statementsOf(std::string_view sentence);

/// True when the text holds a Chinese character.
[[nodiscard]] bool holdsChinese(std::string_view text) noexcept;

}  // namespace firstbad::core
