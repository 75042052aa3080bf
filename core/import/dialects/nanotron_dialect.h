// SPDX-License-Identifier: GPL-3.0-or-later
// nanotron: "iteration: 15 / 1000 | consumed_tokens: 61.4K | lm_loss: 8.76 | lr: 0.00015 | ...".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect nanotronDialect() noexcept;

}  // namespace firstbad::core
