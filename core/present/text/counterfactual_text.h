// SPDX-License-Identifier: GPL-3.0-or-later
// What matrix and isolate say to people.
//
// Pure, any thread.
#pragma once

#include "core/present/text/text_style.h"
#include "core/protocol/replay_result.h"

namespace firstbad::core {

[[nodiscard]] StyledText matrixText(const MatrixResult& result, const TextStyle& style);
[[nodiscard]] StyledText isolateText(const IsolateResult& result, const TextStyle& style);

}  // namespace firstbad::core
