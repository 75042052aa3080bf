// SPDX-License-Identifier: GPL-3.0-or-later
// llm.c: console ("step 250/19560 | loss 3.21 (+0.12z)| ...") and main.log ("s:250 trl:3.21 ...").
//
// Stateless entries; their readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect llmcConsoleDialect() noexcept;
[[nodiscard]] LineDialect llmcMainDialect() noexcept;

}  // namespace firstbad::core
