// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed's own lines: "step=10, skipped=0, lr=[...]", "steps: 10 loss: ...", "global_step=10,
// ...".
//
// Reads beside them what the training script prints with a step. One reader a source, one thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect deepspeedDialect() noexcept;

}  // namespace firstbad::core
